-- The sample clinic of `tacit demo clinic`, with five visits a patient in the mean.

-- case: clinic: visits by sex
-- goal: 1.5
SELECT sex, count(*), avg(cost) FROM patients JOIN visits ON ssn = patient_ssn GROUP BY sex

-- case: clinic: cost by age group
-- goal: 1.5
SELECT CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'old' END AS who, sum(cost)
FROM patients JOIN visits ON ssn = patient_ssn WHERE sex = 'F' GROUP BY 1

-- case: clinic: cost by disease, private keys
-- goal: 1.5
SELECT disease, sum(cost) FROM patients JOIN visits ON ssn = patient_ssn GROUP BY disease

-- case: clinic: stay by floor, a public table
-- goal: 1.5
SELECT floor, avg(days) FROM visits JOIN departments ON visits.department = departments.department
GROUP BY floor

-- case: clinic: visits by department
-- goal: 1.5
SELECT department, count(*), sum(cost) FROM visits GROUP BY department

-- case: clinic: visits by month
-- goal: 1.5
SELECT date_trunc('month', admitted) AS month, count(*) FROM visits GROUP BY 1

-- case: clinic: patients with a visit in Surgery
-- goal: 1.5
SELECT count(*) FROM patients p
WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_ssn = p.ssn AND v.department = 'Surgery')

-- case: clinic: cost of a patient, then avg by sex
-- goal: 1.5
SELECT sex, avg(total) FROM patients
JOIN (SELECT patient_ssn, sum(cost) AS total FROM visits GROUP BY patient_ssn) q
  ON ssn = patient_ssn GROUP BY sex

-- case: clinic: median stay
-- goal: 1.5
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY days) FROM visits

-- case: clinic: patients by disease, private keys
-- goal: 1.5
SELECT disease, count(*) FROM patients GROUP BY disease

-- case: clinic: cost by disease and department, a group cap after a join
-- goal: 5
SELECT disease, department, sum(cost)
FROM patients JOIN visits ON ssn = patient_ssn WHERE sex = 'F' GROUP BY disease, department
