CREATE TABLE person (id INTEGER, card INTEGER);
INSERT INTO person SELECT i // 2, i FROM range(200) t(i);
CREATE TABLE loan (loan_id INTEGER UNIQUE, card INTEGER, book VARCHAR);
INSERT INTO loan SELECT i, i % 200, 'b' FROM range(400) t(i);
CREATE TABLE visit (person_id INTEGER, minutes INTEGER);
INSERT INTO visit SELECT i % 100, i % 60 FROM range(300) t(i);
CREATE TABLE letter (loan_id INTEGER, text VARCHAR);
INSERT INTO letter SELECT i, 'late' FROM range(50) t(i);
