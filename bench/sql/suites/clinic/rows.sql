CREATE TABLE patients AS FROM read_csv('{source}/patients.csv');
CREATE TABLE visits AS FROM read_csv('{source}/visits.csv');
CREATE TABLE departments AS FROM read_csv('{source}/departments.csv');
