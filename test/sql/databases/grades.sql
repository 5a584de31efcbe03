CREATE TABLE pupil (id INTEGER, grade INTEGER);
INSERT INTO pupil SELECT i, 1 + i % 3 FROM range(300) t(i);
