-- What DBeaver sends when a table or a result is looked at. Its sources: github.com/dbeaver/dbeaver,
-- model.sql/SQLGroupingQueryGenerator.java (the grouping panel), model.jdbc/JDBCTable.java (countData,
-- readData), model.sql/transformers/SQLQueryTransformerCount.java.

-- dbeaver 1: the rows of a table, counted
-- from JDBCTable: countData
-- expect aggregate answer
SELECT COUNT(*) FROM public.visits;

-- dbeaver 2: the rows of a filtered table
-- from JDBCTable: countData
-- expect aggregate answer
SELECT COUNT(*) FROM public.visits
WHERE department = 'Surgery';

-- dbeaver 3: the rows of a result, counted
-- from SQLQueryTransformerCount
-- expect aggregate answer
SELECT COUNT(*) FROM (SELECT department, count(*) FROM visits GROUP BY department
) dbvrcnt;

-- dbeaver 4: the rows of all rows, counted
-- from SQLQueryTransformerCount
-- expect aggregate answer
SELECT COUNT(*) FROM (SELECT * FROM visits
) dbvrcnt;

-- dbeaver 5: the grouping panel of a query: COUNT(*)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT src.department, COUNT(*) as count FROM (
select * from visits
) src
GROUP BY src.department;

-- dbeaver 6: the grouping panel of a table, two columns, ordered: COUNT(*)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, COUNT(*) AS count FROM public.visits
GROUP BY department, days
ORDER BY count DESC
LIMIT 200;

-- dbeaver 7: the grouping panel of a query: SUM(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT src.department, SUM(cost) as sum_cost FROM (
select * from visits
) src
GROUP BY src.department;

-- dbeaver 8: the grouping panel of a table, two columns, ordered: SUM(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, SUM(cost) AS sum_cost FROM public.visits
GROUP BY department, days
ORDER BY sum_cost DESC
LIMIT 200;

-- dbeaver 9: the grouping panel of a query: AVG(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT src.department, AVG(cost) as avg_cost FROM (
select * from visits
) src
GROUP BY src.department;

-- dbeaver 10: the grouping panel of a table, two columns, ordered: AVG(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, AVG(cost) AS avg_cost FROM public.visits
GROUP BY department, days
ORDER BY avg_cost DESC
LIMIT 200;

-- dbeaver 11: the grouping panel of a query: MIN(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT src.department, MIN(cost) as min_cost FROM (
select * from visits
) src
GROUP BY src.department;

-- dbeaver 12: the grouping panel of a table, two columns, ordered: MIN(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, MIN(cost) AS min_cost FROM public.visits
GROUP BY department, days
ORDER BY min_cost DESC
LIMIT 200;

-- dbeaver 13: the grouping panel of a query: MAX(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT src.department, MAX(cost) as max_cost FROM (
select * from visits
) src
GROUP BY src.department;

-- dbeaver 14: the grouping panel of a table, two columns, ordered: MAX(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, MAX(cost) AS max_cost FROM public.visits
GROUP BY department, days
ORDER BY max_cost DESC
LIMIT 200;

-- dbeaver 15: the grouping panel of a query: COUNT(DISTINCT patient_ssn)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT src.department, COUNT(DISTINCT patient_ssn) as count_distinctpatient_ssn FROM (
select * from visits
) src
GROUP BY src.department;

-- dbeaver 16: the grouping panel of a table, two columns, ordered: COUNT(DISTINCT patient_ssn)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, COUNT(DISTINCT patient_ssn) AS count_distinctpatient_ssn FROM public.visits
GROUP BY department, days
ORDER BY count_distinctpatient_ssn DESC
LIMIT 200;

-- dbeaver 17: the grouping panel: more than one
-- from SQLGroupingQueryGenerator: showDuplicatesOnly
-- expect aggregate answer
SELECT src.disease, COUNT(*) as count FROM (
select * from patients
) src
GROUP BY src.disease
HAVING COUNT(*) > 1;

-- dbeaver 18: a table, opened
-- from JDBCTable: readData
-- expect rows refuse 42501
SELECT x.* FROM public.visits x
LIMIT 200;

-- dbeaver 19: a table, opened and ordered
-- from JDBCTable: readData
-- expect rows refuse 42501
SELECT x.* FROM public.visits x
ORDER BY x.cost DESC
LIMIT 200;

-- dbeaver 20: a query of the editor
-- from the SQL editor: any text
-- expect rows refuse 42501
SELECT * FROM public.visits v LIMIT 200;

-- dbeaver 21: aggregates of the editor
-- from the SQL editor: any text
-- expect aggregate answer
SELECT count(*), sum(cost), avg(cost), min(cost), max(cost) FROM visits;

-- dbeaver 22: the application tells its name
-- from pgjdbc, and issue datafusion-postgres #135
-- expect session answer
SET application_name = 'DBeaver 24.1.0 - Main <clinic>';

-- dbeaver 23: where am I
-- from issue datafusion-postgres #135
-- expect session answer
SELECT current_schema(),session_user;

-- dbeaver 24: the path
-- from issue datafusion-postgres #135
-- expect session answer
SHOW search_path;
