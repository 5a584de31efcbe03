CREATE TABLE patients (ssn VARCHAR UNIQUE, zipcode INTEGER, disease VARCHAR, age INTEGER, sex VARCHAR, income INTEGER);
INSERT INTO patients
  SELECT CAST(100 + i AS VARCHAR), 75001 + i % 20, CASE i % 4 WHEN 0 THEN 'Flu' WHEN 1 THEN 'Cold' WHEN 2 THEN 'Gout' ELSE NULL END,
    (i * 7) % 100, CASE WHEN i % 2 = 0 THEN 'F' ELSE 'M' END, (i * 1300) % 90000
  FROM range(400) t(i);
CREATE TABLE departments (department VARCHAR UNIQUE, floor INTEGER, beds INTEGER);
INSERT INTO departments VALUES ('Emergency', 0, 40), ('Internal medicine', 2, 120), ('Surgery', 3, 80), ('Radiology', 1, 0);
CREATE TABLE visits (visit_id INTEGER, patient_ssn VARCHAR, department VARCHAR, admitted DATE, days INTEGER, cost DECIMAL(10,2));
INSERT INTO visits
  SELECT i, CAST(100 + i % 400 AS VARCHAR), CASE i % 3 WHEN 0 THEN 'Emergency' WHEN 1 THEN 'Surgery' ELSE 'Internal medicine' END,
    DATE '2019-01-01' + CAST(i % 2190 AS INTEGER), CASE WHEN i % 5 = 0 THEN NULL ELSE i % 12 END, (i * 37) % 9000
  FROM range(1500) t(i);
