CREATE TABLE person (id INTEGER, age INTEGER);
INSERT INTO person SELECT i, 20 + i % 60 FROM range(100) t(i);
CREATE TABLE ballot (choice VARCHAR);
INSERT INTO ballot SELECT 'yes' FROM range(40) t(i);
CREATE TABLE town (code INTEGER, name VARCHAR);
INSERT INTO town VALUES (1, 'north'), (2, 'south');
