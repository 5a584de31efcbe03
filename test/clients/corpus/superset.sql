-- What Apache Superset sends: what its models and SQLAlchemy's PostgreSQL dialect write for charts.
-- Its sources: github.com/apache/superset, superset/models/helpers.py (get_sqla_query),
-- superset/db_engine_specs/postgres.py (time grains, convert_dttm); `./scripts/test --clients` has Superset
-- 6.1 itself write such questions, and asks them.

-- superset 1: a line chart by month
-- from db_engine_specs/postgres.py: _time_grain_expressions
-- expect aggregate answer
SELECT DATE_TRUNC('month', admitted) AS admitted, COUNT(*) AS count 
FROM public.visits 
WHERE admitted >= TO_DATE('2023-01-01', 'YYYY-MM-DD') AND admitted < TO_DATE('2024-01-01', 'YYYY-MM-DD') GROUP BY DATE_TRUNC('month', admitted) ORDER BY count DESC 
 LIMIT 10000;

-- superset 2: a line chart by quarter
-- from db_engine_specs/postgres.py: _time_grain_expressions
-- expect aggregate answer
SELECT DATE_TRUNC('quarter', admitted) AS admitted, COUNT(*) AS count 
FROM public.visits 
WHERE admitted >= TO_DATE('2023-01-01', 'YYYY-MM-DD') AND admitted < TO_DATE('2024-01-01', 'YYYY-MM-DD') GROUP BY DATE_TRUNC('quarter', admitted) ORDER BY count DESC 
 LIMIT 10000;

-- superset 3: a line chart by year
-- from db_engine_specs/postgres.py: _time_grain_expressions
-- expect aggregate answer
SELECT DATE_TRUNC('year', admitted) AS admitted, COUNT(*) AS count 
FROM public.visits 
WHERE admitted >= TO_DATE('2023-01-01', 'YYYY-MM-DD') AND admitted < TO_DATE('2024-01-01', 'YYYY-MM-DD') GROUP BY DATE_TRUNC('year', admitted) ORDER BY count DESC 
 LIMIT 10000;

-- superset 4: a line chart by week
-- from db_engine_specs/postgres.py: _time_grain_expressions
-- expect aggregate answer
SELECT DATE_TRUNC('week', admitted) AS admitted, COUNT(*) AS count 
FROM public.visits 
WHERE admitted >= TO_DATE('2023-01-01', 'YYYY-MM-DD') AND admitted < TO_DATE('2024-01-01', 'YYYY-MM-DD') GROUP BY DATE_TRUNC('week', admitted) ORDER BY count DESC 
 LIMIT 10000;

-- superset 5: a line chart by day
-- from db_engine_specs/postgres.py: _time_grain_expressions
-- expect aggregate answer
SELECT DATE_TRUNC('day', admitted) AS admitted, COUNT(*) AS count 
FROM public.visits 
WHERE admitted >= TO_DATE('2023-01-01', 'YYYY-MM-DD') AND admitted < TO_DATE('2024-01-01', 'YYYY-MM-DD') GROUP BY DATE_TRUNC('day', admitted) ORDER BY count DESC 
 LIMIT 10000;

-- superset 6: a bar chart of "SUM(cost)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT department AS department, SUM(cost) AS "SUM(cost)" 
FROM public.visits GROUP BY department ORDER BY "SUM(cost)" DESC 
 LIMIT 100;

-- superset 7: a big number of "SUM(cost)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT SUM(cost) AS "SUM(cost)" 
FROM public.visits 
LIMIT 50000;

-- superset 8: a bar chart of "AVG(cost)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT department AS department, AVG(cost) AS "AVG(cost)" 
FROM public.visits GROUP BY department ORDER BY "AVG(cost)" DESC 
 LIMIT 100;

-- superset 9: a big number of "AVG(cost)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT AVG(cost) AS "AVG(cost)" 
FROM public.visits 
LIMIT 50000;

-- superset 10: a bar chart of "COUNT_DISTINCT(patient_ssn)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT department AS department, COUNT(DISTINCT patient_ssn) AS "COUNT_DISTINCT(patient_ssn)" 
FROM public.visits GROUP BY department ORDER BY "COUNT_DISTINCT(patient_ssn)" DESC 
 LIMIT 100;

-- superset 11: a big number of "COUNT_DISTINCT(patient_ssn)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT COUNT(DISTINCT patient_ssn) AS "COUNT_DISTINCT(patient_ssn)" 
FROM public.visits 
LIMIT 50000;

-- superset 12: a bar chart of "MAX(days)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT department AS department, MAX(days) AS "MAX(days)" 
FROM public.visits GROUP BY department ORDER BY "MAX(days)" DESC 
 LIMIT 100;

-- superset 13: a big number of "MAX(days)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT MAX(days) AS "MAX(days)" 
FROM public.visits 
LIMIT 50000;

-- superset 14: a bar chart of "MIN(cost)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT department AS department, MIN(cost) AS "MIN(cost)" 
FROM public.visits GROUP BY department ORDER BY "MIN(cost)" DESC 
 LIMIT 100;

-- superset 15: a big number of "MIN(cost)"
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT MIN(cost) AS "MIN(cost)" 
FROM public.visits 
LIMIT 50000;

-- superset 16: a bar chart of ratio
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT department AS department, SUM(cost)/COUNT(*) AS ratio 
FROM public.visits GROUP BY department ORDER BY ratio DESC 
 LIMIT 100;

-- superset 17: a big number of ratio
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT SUM(cost)/COUNT(*) AS ratio 
FROM public.visits 
LIMIT 50000;

-- superset 18: a pie chart, filtered by IN
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE department IN ('Surgery', 'Emergency') GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 19: a pie chart, filtered by NOT IN
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE (department NOT IN ('Surgery')) GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 20: a pie chart, filtered by LIKE
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE department LIKE 'S%' GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 21: a pie chart, filtered by ILIKE
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE department ILIKE '%med%' GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 22: a pie chart, filtered by a range
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE cost >= 100 AND cost < 500 GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 23: a pie chart, filtered by IS NOT NULL
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE department IS NOT NULL GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 24: a pie chart, filtered by a free condition
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE (days > 3 OR cost > 1000) GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 25: a pie chart, filtered by a range of instants
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE admitted >= TO_TIMESTAMP('2024-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND admitted < TO_TIMESTAMP('2024-07-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 26: a pie chart, filtered by a range of texts
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE admitted >= '2024-01-01' AND admitted < '2024-02-01' GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 27: a pie chart, filtered by one number
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE ((days = 1)) GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 28: a pie chart, filtered by a free condition on time
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE admitted > DATE_TRUNC('year', NOW()) - INTERVAL '3 year' GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 29: a pie chart, filtered by IS NULL
-- from models/helpers.py: get_sqla_query, filter
-- expect aggregate answer
SELECT department AS department, count(*) AS count 
FROM public.visits 
WHERE cost IS NULL GROUP BY department ORDER BY count DESC 
 LIMIT 100;

-- superset 30: a time series of groups
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT DATE_TRUNC('month', admitted) AS admitted, department AS department, SUM(cost) AS "SUM(cost)" 
FROM public.visits GROUP BY DATE_TRUNC('month', admitted), department ORDER BY "SUM(cost)" DESC 
 LIMIT 10000;

-- superset 31: a time series of the largest groups
-- from models/helpers.py: get_sqla_query, series_limit
-- expect aggregate answer
SELECT DATE_TRUNC('month', admitted) AS __timestamp, department AS department, COUNT(*) AS count 
FROM public.visits JOIN (SELECT department AS department__, COUNT(*) AS mme_inner__ 
FROM public.visits 
WHERE admitted >= TO_DATE('2023-01-01', 'YYYY-MM-DD') AND admitted < TO_DATE('2024-01-01', 'YYYY-MM-DD') GROUP BY department ORDER BY COUNT(*) DESC 
 LIMIT 5) AS series_limit ON department = department__ 
WHERE admitted >= TO_DATE('2023-01-01', 'YYYY-MM-DD') AND admitted < TO_DATE('2024-01-01', 'YYYY-MM-DD') GROUP BY department, DATE_TRUNC('month', admitted) ORDER BY count DESC 
 LIMIT 10000;

-- superset 32: a chart on a virtual dataset
-- from models/helpers.py: get_sqla_query, virtual_table
-- expect aggregate answer
SELECT sex AS sex, AVG(income) AS "AVG(income)" 
FROM (SELECT sex, income, age FROM public.patients WHERE age >= 18
) AS virtual_table GROUP BY sex ORDER BY "AVG(income)" DESC 
 LIMIT 1000;

-- superset 33: a virtual dataset that joins
-- from models/helpers.py: get_sqla_query, virtual_table
-- expect aggregate answer
SELECT sex AS sex, department AS department, COUNT(*) AS count 
FROM (SELECT v.department, v.cost, p.sex FROM visits v JOIN patients p ON v.patient_ssn = p.ssn
) AS virtual_table GROUP BY sex, department ORDER BY count DESC 
 LIMIT 10000;

-- superset 34: a virtual dataset of results
-- from models/helpers.py: get_sqla_query, virtual_table
-- expect aggregate answer
SELECT department AS department, max(n) AS "MAX(n)" 
FROM (SELECT department, date_trunc('year', admitted) AS y, count(*) AS n FROM visits GROUP BY 1, 2
) AS virtual_table GROUP BY department ORDER BY "MAX(n)" DESC 
 LIMIT 1000;

-- superset 35: a pivot table
-- from models/helpers.py: get_sqla_query
-- expect aggregate answer
SELECT sex AS sex, zipcode AS zipcode, COUNT(*) AS count 
FROM public.patients GROUP BY sex, zipcode ORDER BY count DESC 
 LIMIT 50000;

-- superset 36: a custom metric with a condition
-- from models/helpers.py: get_sqla_query, adhoc metric
-- expect aggregate answer
SELECT department AS department, SUM(CASE WHEN days > 7 THEN 1 ELSE 0 END) AS long_stays, sum(CASE WHEN days > 7 THEN 1 ELSE 0 END)::float / count(*) AS share 
FROM public.visits GROUP BY department ORDER BY long_stays DESC 
 LIMIT 100;

-- superset 37: a custom metric with FILTER
-- from models/helpers.py: get_sqla_query, adhoc metric
-- expect aggregate answer
SELECT department AS department, count(*) FILTER (WHERE days > 7) AS long_stays 
FROM public.visits GROUP BY department ORDER BY long_stays DESC 
 LIMIT 100;

-- superset 38: a calculated column
-- from models/helpers.py: get_sqla_query, calculated column
-- expect aggregate answer
SELECT CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'old' END AS band, COUNT(*) AS count 
FROM public.patients GROUP BY CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'old' END ORDER BY count DESC 
 LIMIT 100;

-- superset 39: a calculated column of time
-- from models/helpers.py: get_sqla_query, calculated column
-- expect aggregate answer
SELECT EXTRACT(YEAR FROM admitted) AS y, COUNT(*) AS count 
FROM public.visits GROUP BY EXTRACT(YEAR FROM admitted) ORDER BY count DESC 
 LIMIT 100;

-- superset 40: having
-- from models/helpers.py: get_sqla_query, having
-- expect aggregate answer
SELECT disease AS disease, COUNT(*) AS count 
FROM public.patients GROUP BY disease 
HAVING ((COUNT(*) > 50)) ORDER BY count DESC 
 LIMIT 100;

-- superset 41: percentiles
-- from models/helpers.py: get_sqla_query, adhoc metric
-- expect aggregate answer
SELECT department AS department, PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY cost) AS q1, PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY cost) AS q3 
FROM public.visits GROUP BY department ORDER BY q3 DESC 
 LIMIT 100;

-- superset 42: contributions
-- from models/helpers.py: get_sqla_query, percent metrics
-- expect aggregate answer
SELECT department AS department, COUNT(*) AS "%count" 
FROM public.visits GROUP BY department ORDER BY "%count" DESC 
 LIMIT 10;

-- superset 43: the values of a filter
-- from models/helpers.py: get_sqla_query, values_for_column
-- expect aggregate answer
SELECT DISTINCT department AS department 
FROM public.visits 
 LIMIT 10000;

-- superset 44: how many rows there are
-- from models/helpers.py: get_sqla_query, rowcount
-- expect aggregate answer
SELECT COUNT(*) AS rowcount 
FROM (SELECT department AS department, COUNT(*) AS count 
FROM public.visits GROUP BY department 
 LIMIT 1000) AS rowcount_qry;

-- superset 45: the range of a time filter
-- from superset/datasource: time range
-- expect aggregate answer
SELECT min(EXTRACT(YEAR FROM admitted)) AS first, max(EXTRACT(YEAR FROM admitted)) AS last 
FROM public.visits;

-- superset 46: samples of a dataset
-- from common/query_actions: samples
-- expect rows refuse 42501
SELECT ssn AS ssn, age AS age, sex AS sex, zipcode AS zipcode, disease AS disease, income AS income 
FROM public.patients 
 LIMIT 1000 
 OFFSET 0;

-- superset 47: a table chart of raw rows
-- from models/helpers.py: get_sqla_query, columns
-- expect rows refuse 42501
SELECT department AS department, admitted AS admitted, cost AS cost 
FROM public.visits ORDER BY admitted DESC 
 LIMIT 1000;

-- superset 48: a histogram of raw values
-- from viz.py: histogram
-- expect rows refuse 42501
SELECT age AS age 
FROM public.patients 
 LIMIT 50000;

-- superset 49: the prequery of SQL Lab
-- from db_engine_specs/postgres.py: get_prequeries
-- expect session answer
SET search_path = "public";

-- superset 50: who runs it
-- from db_engine_specs/postgres.py: get_cancel_query_id
-- expect session answer
SELECT pg_backend_pid();
