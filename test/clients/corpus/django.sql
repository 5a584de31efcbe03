-- What Django's ORM sends to PostgreSQL. Its sources: github.com/django/django,
-- django/db/backends/postgresql/operations.py (date_extract_sql, date_trunc_sql, lookup_cast, subtract_temporals)
-- and django/db/models/sql/compiler.py; statements are composed of these forms.

-- django 1: count
-- from compiler.py: get_count
-- expect aggregate answer
SELECT COUNT(*) AS "__count" FROM "visits";

-- django 2: count by a column
-- from values().annotate(Count)
-- expect aggregate answer
SELECT "visits"."department", COUNT(*) AS "n" FROM "visits" GROUP BY "visits"."department" ORDER BY "n" DESC LIMIT 21;

-- django 3: months
-- from operations.py: date_trunc_sql
-- expect aggregate answer
SELECT DATE_TRUNC('month', "visits"."admitted") AS "month", SUM("visits"."cost") AS "total" FROM "visits" WHERE "visits"."admitted" BETWEEN '2023-01-01'::date AND '2023-12-31'::date GROUP BY DATE_TRUNC('month', "visits"."admitted") ORDER BY "month" ASC;

-- django 4: days of the week
-- from operations.py: date_extract_sql
-- expect aggregate answer
SELECT EXTRACT('dow' FROM "visits"."admitted") + 1 AS "weekday", COUNT(*) AS "n" FROM "visits" GROUP BY EXTRACT('dow' FROM "visits"."admitted") + 1;

-- django 5: contains, either case
-- from operations.py: lookup_cast
-- expect aggregate answer
SELECT COUNT(*) AS "__count" FROM "visits" WHERE UPPER("visits"."department"::text) LIKE UPPER('%urg%');

-- django 6: how long ago
-- from operations.py: subtract_temporals
-- expect aggregate answer
SELECT COUNT(*) AS "__count" FROM "visits" WHERE (interval '1 day' * ('2024-06-01'::date - "visits"."admitted")) <= '30 days 0.000000 seconds'::interval;

-- django 7: a mean of counts
-- from compiler.py: SQLAggregateCompiler
-- expect aggregate answer
SELECT AVG("n") FROM (SELECT "visits"."department" AS "col1", COUNT(*) AS "n" FROM "visits" GROUP BY 1) subquery;

-- django 8: a filtered count
-- from Aggregate(filter=...)
-- expect aggregate answer
SELECT "visits"."department", COUNT(*) FILTER (WHERE "visits"."days" > 7) AS "long", COALESCE(SUM("visits"."cost"), 0) AS "total" FROM "visits" GROUP BY "visits"."department";

-- django 9: a related table
-- from values() over a foreign key
-- expect aggregate answer
SELECT "patients"."sex", AVG("visits"."cost") AS "cost", STDDEV_POP("visits"."cost") AS "sd" FROM "visits" INNER JOIN "patients" ON ("visits"."patient_ssn" = "patients"."ssn") WHERE ("patients"."age" >= 18 AND NOT ("visits"."department" = 'Surgery' AND "visits"."department" IS NOT NULL)) GROUP BY "patients"."sex" HAVING AVG("visits"."cost") > 10.0;

-- django 10: conditions
-- from Case, When
-- expect aggregate answer
SELECT CASE WHEN "patients"."age" < 18 THEN 'child' WHEN "patients"."age" < 65 THEN 'adult' ELSE 'old' END AS "band", COUNT("patients"."ssn") AS "n" FROM "patients" GROUP BY 1;

-- django 11: the distinct values of a column
-- from values_list().distinct()
-- expect aggregate answer
SELECT DISTINCT "visits"."department" FROM "visits" ORDER BY "visits"."department" ASC;

-- django 12: is there one
-- from compiler.py: exists()
-- expect rows refuse 42501
SELECT 1 AS "a" FROM "visits" WHERE "visits"."department" = 'Surgery' LIMIT 1;

-- django 13: the objects of a page
-- from Model.objects.all()
-- expect rows refuse 42501
SELECT "visits"."visit_id", "visits"."department", "visits"."admitted", "visits"."days", "visits"."cost" FROM "visits" LIMIT 21;
