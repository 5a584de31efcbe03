-- What DBeaver sends when a table or a result is looked at. Its sources: github.com/dbeaver/dbeaver,
-- plugins/org.jkiss.dbeaver.model.sql and plugins/org.jkiss.dbeaver.ui.editors.data (grouping panel).

-- dbeaver 1: the rows of a table, counted
-- from JDBCTable, countData
-- expect aggregate answer
SELECT count(*) FROM public.visits;

-- dbeaver 2: the rows of a filtered table
-- from JDBCTable, countData
-- expect aggregate answer
SELECT count(*) FROM public.visits WHERE department = 'Surgery';

-- dbeaver 3: the rows of a result, counted
-- from SQLQueryJob: row count
-- expect aggregate answer
SELECT COUNT(*) FROM (SELECT department, count(*) FROM visits GROUP BY department) dbvrcnt;

-- dbeaver 4: the grouping panel: COUNT(*)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, COUNT(*)
FROM (
	select * from visits
) as custom_query GROUP BY department;

-- dbeaver 5: the grouping panel, two columns, ordered: COUNT(*)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, COUNT(*)
FROM public.visits
GROUP BY department, days
ORDER BY COUNT(*) DESC
LIMIT 200;

-- dbeaver 6: the grouping panel: SUM(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, SUM(cost)
FROM (
	select * from visits
) as custom_query GROUP BY department;

-- dbeaver 7: the grouping panel, two columns, ordered: SUM(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, SUM(cost)
FROM public.visits
GROUP BY department, days
ORDER BY SUM(cost) DESC
LIMIT 200;

-- dbeaver 8: the grouping panel: AVG(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, AVG(cost)
FROM (
	select * from visits
) as custom_query GROUP BY department;

-- dbeaver 9: the grouping panel, two columns, ordered: AVG(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, AVG(cost)
FROM public.visits
GROUP BY department, days
ORDER BY AVG(cost) DESC
LIMIT 200;

-- dbeaver 10: the grouping panel: MIN(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, MIN(cost)
FROM (
	select * from visits
) as custom_query GROUP BY department;

-- dbeaver 11: the grouping panel, two columns, ordered: MIN(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, MIN(cost)
FROM public.visits
GROUP BY department, days
ORDER BY MIN(cost) DESC
LIMIT 200;

-- dbeaver 12: the grouping panel: MAX(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, MAX(cost)
FROM (
	select * from visits
) as custom_query GROUP BY department;

-- dbeaver 13: the grouping panel, two columns, ordered: MAX(cost)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, MAX(cost)
FROM public.visits
GROUP BY department, days
ORDER BY MAX(cost) DESC
LIMIT 200;

-- dbeaver 14: the grouping panel: COUNT(DISTINCT patient_ssn)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, COUNT(DISTINCT patient_ssn)
FROM (
	select * from visits
) as custom_query GROUP BY department;

-- dbeaver 15: the grouping panel, two columns, ordered: COUNT(DISTINCT patient_ssn)
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT department, days, COUNT(DISTINCT patient_ssn)
FROM public.visits
GROUP BY department, days
ORDER BY COUNT(DISTINCT patient_ssn) DESC
LIMIT 200;

-- dbeaver 16: the grouping panel: more than one
-- from SQLGroupingQueryGenerator
-- expect aggregate answer
SELECT disease, COUNT(*)
FROM public.patients
GROUP BY disease
HAVING COUNT(*) > 1;

-- dbeaver 17: values of a column in a filter
-- from DBVEntity: attribute values
-- expect aggregate answer
SELECT department, COUNT(*) FROM public.visits GROUP BY department ORDER BY 2 DESC;

-- dbeaver 18: aggregates of a chart
-- from data viewer: calc panel in SQL
-- expect aggregate answer
SELECT count(*), sum(cost), avg(cost), min(cost), max(cost) FROM visits;

-- dbeaver 19: a table, opened
-- from data viewer: read data
-- expect rows refuse 42501
SELECT * FROM public.visits v LIMIT 200;

-- dbeaver 20: a table, opened and ordered
-- from data viewer: read data
-- expect rows refuse 42501
SELECT v.* FROM public.visits v ORDER BY v.cost DESC LIMIT 200;

-- dbeaver 21: values of a column by a prefix
-- from data viewer: attribute enumeration
-- expect aggregate answer
SELECT DISTINCT department FROM public.visits WHERE department ILIKE '%s%' ORDER BY 1;

-- dbeaver 22: the application tells its name
-- from session initialisation
-- expect session answer
SET application_name = 'DBeaver 24.1.0 - Main <clinic>';

-- dbeaver 23: where am I
-- from session initialisation
-- expect session answer
SELECT current_schema(),session_user;

-- dbeaver 24: the path
-- from session initialisation
-- expect session answer
SHOW search_path;
