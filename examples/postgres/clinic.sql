-- A small clinic of invented people, and a role that reads it. Run it as the database's owner:
--   createdb clinic && psql -d clinic -f clinic.sql
CREATE TABLE patients (
  ssn text PRIMARY KEY,
  age integer NOT NULL,
  sex text NOT NULL,
  city text,
  income numeric(12,2)
);
INSERT INTO patients
SELECT 'P' || lpad(i::text, 6, '0'), (i * 37) % 100, CASE i % 2 WHEN 0 THEN 'F' ELSE 'M' END,
  (ARRAY['Bonn', 'Ulm', 'Trier', 'Jena'])[1 + (i * i) % 4], 1000 + (i * 7919) % 90000
FROM generate_series(1, 20000) AS i;

CREATE TABLE visits (
  visit_id bigint PRIMARY KEY,
  patient_ssn text REFERENCES patients (ssn),
  department text NOT NULL,
  admitted date NOT NULL,
  cost numeric(10,2)
);
INSERT INTO visits
SELECT i, 'P' || lpad((1 + (i * 7) % 20000)::text, 6, '0'),
  (ARRAY['Emergency', 'Surgery', 'Radiology'])[1 + i % 3], DATE '2024-01-01' + (i % 366)::integer,
  (i * 31) % 5000
FROM generate_series(1, 60000) AS i;

CREATE ROLE tacit_reader LOGIN;
GRANT USAGE ON SCHEMA public TO tacit_reader;
GRANT SELECT ON patients, visits TO tacit_reader;
