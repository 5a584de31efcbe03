-- What pgAdmin 4 sends from its tools. Its sources: github.com/pgadmin-org/pgadmin4,
-- web/pgadmin/tools/sqleditor and the templates of web/pgadmin/browser/server_groups.

-- pgadmin 1: the rows of a table, counted
-- from tables/templates: get_table_row_count.sql
-- expect aggregate answer
SELECT COUNT(*) FROM public.visits;

-- pgadmin 2: the rows of the people, counted
-- from tables/templates: get_table_row_count.sql
-- expect aggregate answer
SELECT COUNT(*)::text FROM public.patients;

-- pgadmin 3: a query of the query tool
-- from tools/sqleditor
-- expect aggregate answer
SELECT department, count(*) FROM public.visits GROUP BY department ORDER BY department ASC;

-- pgadmin 4: natural join
-- from tools/sqleditor
-- expect aggregate answer
SELECT floor, count(*) FROM visits NATURAL JOIN departments GROUP BY floor;

-- pgadmin 5: several sums
-- from tools/sqleditor
-- expect aggregate answer
SELECT sum(cost), sum((days > 3)::int), avg((days > 3)::int) FROM visits;

-- pgadmin 6: a common table of a result
-- from tools/sqleditor
-- expect aggregate answer
WITH m AS (SELECT avg(age) AS a FROM patients) SELECT count(*) FROM patients, m WHERE age > a;

-- pgadmin 7: all rows
-- from tools/sqleditor: view data, all
-- expect rows refuse 42501
SELECT * FROM public.visits
ORDER BY visit_id ASC;

-- pgadmin 8: the first hundred rows
-- from tools/sqleditor: view data, first
-- expect rows refuse 42501
SELECT * FROM public.visits
ORDER BY visit_id ASC LIMIT 100;

-- pgadmin 9: the last hundred rows
-- from tools/sqleditor: view data, last
-- expect rows refuse 42501
SELECT * FROM public.visits
ORDER BY visit_id DESC LIMIT 100;

-- pgadmin 10: which server
-- from utils/driver: connection
-- expect session answer
SELECT version();

-- pgadmin 11: which database and user
-- from utils/driver: connection
-- expect session answer
SELECT current_database(), current_user;

-- pgadmin 12: the settings of a session
-- from utils/driver: connection
-- expect session answer
SET DateStyle=ISO;

-- pgadmin 13: messages
-- from utils/driver: connection
-- expect session answer
SET client_min_messages=notice;
