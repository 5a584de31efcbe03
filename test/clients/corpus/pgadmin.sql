-- What pgAdmin 4 sends. Its sources: the templates and utils/driver/psycopg3/connection.py of the package
-- pgadmin4 9.18 on PyPI (github.com/pgadmin-org/pgadmin4). The query tool sends what is typed.

-- pgadmin 1: the rows of a table, counted
-- from tables/sql/default/get_table_row_count.sql
-- expect aggregate answer
SELECT COUNT(*)::text FROM public.visits;

-- pgadmin 2: the rows of the people, counted
-- from tables/sql/default/get_table_row_count.sql
-- expect aggregate answer
SELECT COUNT(*)::text FROM public.patients;

-- pgadmin 3: typed into the query tool: groups
-- from the query tool: any text
-- expect aggregate answer
SELECT department, count(*) FROM public.visits GROUP BY department ORDER BY department ASC;

-- pgadmin 4: typed into the query tool: natural join
-- from the query tool: any text
-- expect aggregate answer
SELECT floor, count(*) FROM visits NATURAL JOIN departments GROUP BY floor;

-- pgadmin 5: typed into the query tool: several sums
-- from the query tool: any text
-- expect aggregate answer
SELECT sum(cost), sum((days > 3)::int), avg((days > 3)::int) FROM visits;

-- pgadmin 6: typed into the query tool: a common table of a result
-- from the query tool: any text
-- expect aggregate answer
WITH m AS (SELECT avg(age) AS a FROM patients) SELECT count(*) FROM patients, m WHERE age > a;

-- pgadmin 7: all rows
-- from sqleditor/sql/default/objectquery.sql
-- expect rows refuse 42501
SELECT * FROM public.visits
ORDER BY visit_id ASC;

-- pgadmin 8: the first hundred rows
-- from sqleditor/sql/default/objectquery.sql
-- expect rows refuse 42501
SELECT * FROM public.visits
ORDER BY visit_id ASC LIMIT 100;

-- pgadmin 9: the last hundred rows
-- from sqleditor/sql/default/objectquery.sql
-- expect rows refuse 42501
SELECT * FROM public.visits
ORDER BY visit_id DESC LIMIT 100;

-- pgadmin 10: filtered rows
-- from sqleditor/sql/default/objectquery.sql
-- expect rows refuse 42501
SELECT * FROM public.visits
WHERE department = 'Surgery'
LIMIT 100;

-- pgadmin 11: on connecting, in one message: dates
-- from connection.py: _initialize
-- expect session answer
SET DateStyle=ISO;

-- pgadmin 12: on connecting, in one message: messages
-- from connection.py: _initialize
-- expect session answer
SET client_min_messages=notice;

-- pgadmin 13: on connecting, in one message: bytes
-- from connection.py: _initialize
-- expect session answer
SELECT set_config('bytea_output','hex',false) FROM pg_show_all_settings() WHERE name = 'bytea_output';

-- pgadmin 14: on connecting, in one message: letters
-- from connection.py: _initialize
-- expect session answer
SET client_encoding='UTF8';

-- pgadmin 15: which server
-- from connection.py: _initialize
-- expect session answer
SELECT version();

-- pgadmin 16: which database
-- from connection.py: _initialize
-- expect session answer
SELECT
    db.oid as did, db.datname, db.datallowconn,
    pg_encoding_to_char(db.encoding) AS serverencoding,
    has_database_privilege(db.oid, 'CREATE') as cancreate,
    datistemplate
FROM
    pg_catalog.pg_database db
WHERE db.datname = current_database();

-- pgadmin 17: whether by Kerberos
-- from connection.py: _initialize
-- expect session answer
SELECT
    gss_authenticated, encrypted
FROM
    pg_catalog.pg_stat_gssapi
WHERE pid = pg_backend_pid();

-- pgadmin 18: who I am
-- from connection.py: _set_user_info
-- expect session answer
SELECT
    roles.oid as id, roles.rolname as name,
    roles.rolsuper as is_superuser,
    CASE WHEN roles.rolsuper THEN true ELSE roles.rolcreaterole END as
    can_create_role,
    CASE WHEN roles.rolsuper THEN true
    ELSE roles.rolcreatedb END as can_create_db,
    CASE WHEN 'pg_signal_backend'=ANY(ARRAY(WITH RECURSIVE cte AS (
    SELECT pg_roles.oid,pg_roles.rolname FROM pg_catalog.pg_roles
        WHERE pg_roles.oid = roles.oid
    UNION ALL
    SELECT m.roleid,pgr.rolname FROM cte cte_1
        JOIN pg_catalog.pg_auth_members m ON m.member = cte_1.oid
        JOIN pg_catalog.pg_roles pgr ON pgr.oid = m.roleid)
    SELECT rolname  FROM cte)) THEN True
    ELSE False END as can_signal_backend
FROM
    pg_catalog.pg_roles as roles
WHERE
    rolname = current_user;
