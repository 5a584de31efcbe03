-- What Metabase sends: the shapes that its query processor gives PostgreSQL, about the sample clinic.
-- Its sources: github.com/metabase/metabase, src/metabase/driver/postgres.clj and
-- src/metabase/driver/sql/query_processor.clj.

-- metabase 1: rows of a table
-- from sql/query_processor.clj: count
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits";

-- metabase 2: rows of the people
-- from sql/query_processor.clj: count
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."patients";

-- metabase 3: count by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", COUNT(*) AS "count" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 4: sum by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", SUM("public"."visits"."cost") AS "sum" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 5: sum of all
-- from sql/query_processor.clj: aggregation
-- expect aggregate answer
SELECT SUM("public"."visits"."cost") AS "sum" FROM "public"."visits";

-- metabase 6: avg by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", AVG("public"."visits"."cost") AS "avg" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 7: avg of all
-- from sql/query_processor.clj: aggregation
-- expect aggregate answer
SELECT AVG("public"."visits"."cost") AS "avg" FROM "public"."visits";

-- metabase 8: min by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", MIN("public"."visits"."cost") AS "min" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 9: max by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", MAX("public"."visits"."days") AS "max" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 10: stddev by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", STDDEV_POP("public"."visits"."cost") AS "stddev" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 11: var by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", VAR_POP("public"."visits"."cost") AS "var" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 12: count by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", COUNT(distinct "public"."visits"."patient_ssn") AS "count" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 13: median by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", PERCENTILE_CONT(0.5) within group (order by "public"."visits"."cost") AS "median" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 14: median of all
-- from sql/query_processor.clj: aggregation
-- expect aggregate answer
SELECT PERCENTILE_CONT(0.5) within group (order by "public"."visits"."cost") AS "median" FROM "public"."visits";

-- metabase 15: percentile by a column
-- from sql/query_processor.clj: breakout, aggregation
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", PERCENTILE_CONT(0.9) within group (order by "public"."visits"."cost") AS "percentile" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC;

-- metabase 16: count by month of a date
-- from driver/postgres.clj: date-trunc of a date
-- expect aggregate answer
SELECT CAST(DATE_TRUNC('month', "public"."visits"."admitted") AS date) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('month', "public"."visits"."admitted") AS date) ORDER BY CAST(DATE_TRUNC('month', "public"."visits"."admitted") AS date) ASC;

-- metabase 17: sum by month and column
-- from driver/postgres.clj: date-trunc of a date
-- expect aggregate answer
SELECT CAST(DATE_TRUNC('month', "public"."visits"."admitted") AS date) AS "admitted", "public"."visits"."department" AS "department", SUM("public"."visits"."cost") AS "sum" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('month', "public"."visits"."admitted") AS date), "public"."visits"."department" ORDER BY CAST(DATE_TRUNC('month', "public"."visits"."admitted") AS date) ASC, "public"."visits"."department" ASC;

-- metabase 18: count by quarter of a date
-- from driver/postgres.clj: date-trunc of a date
-- expect aggregate answer
SELECT CAST(DATE_TRUNC('quarter', "public"."visits"."admitted") AS date) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('quarter', "public"."visits"."admitted") AS date) ORDER BY CAST(DATE_TRUNC('quarter', "public"."visits"."admitted") AS date) ASC;

-- metabase 19: sum by quarter and column
-- from driver/postgres.clj: date-trunc of a date
-- expect aggregate answer
SELECT CAST(DATE_TRUNC('quarter', "public"."visits"."admitted") AS date) AS "admitted", "public"."visits"."department" AS "department", SUM("public"."visits"."cost") AS "sum" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('quarter', "public"."visits"."admitted") AS date), "public"."visits"."department" ORDER BY CAST(DATE_TRUNC('quarter', "public"."visits"."admitted") AS date) ASC, "public"."visits"."department" ASC;

-- metabase 20: count by year of a date
-- from driver/postgres.clj: date-trunc of a date
-- expect aggregate answer
SELECT CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) ORDER BY CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) ASC;

-- metabase 21: sum by year and column
-- from driver/postgres.clj: date-trunc of a date
-- expect aggregate answer
SELECT CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) AS "admitted", "public"."visits"."department" AS "department", SUM("public"."visits"."cost") AS "sum" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date), "public"."visits"."department" ORDER BY CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) ASC, "public"."visits"."department" ASC;

-- metabase 22: count by week that begins on Sunday
-- from driver/sql/query_processor.clj: adjust-start-of-week
-- expect aggregate answer
SELECT CAST((DATE_TRUNC('week', CAST(("public"."visits"."admitted" + INTERVAL '1 day') AS date)) + INTERVAL '-1 day') AS date) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST((DATE_TRUNC('week', CAST(("public"."visits"."admitted" + INTERVAL '1 day') AS date)) + INTERVAL '-1 day') AS date) ORDER BY CAST((DATE_TRUNC('week', CAST(("public"."visits"."admitted" + INTERVAL '1 day') AS date)) + INTERVAL '-1 day') AS date) ASC;

-- metabase 23: count by day
-- from driver/postgres.clj: date, day
-- expect aggregate answer
SELECT "public"."visits"."admitted" AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY "public"."visits"."admitted" ORDER BY "public"."visits"."admitted" ASC;

-- metabase 24: count by month-of-year
-- from driver/postgres.clj: extract-integer
-- expect aggregate answer
SELECT CAST(extract(month from "public"."visits"."admitted") AS integer) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(extract(month from "public"."visits"."admitted") AS integer) ORDER BY CAST(extract(month from "public"."visits"."admitted") AS integer) ASC;

-- metabase 25: count by quarter-of-year
-- from driver/postgres.clj: extract-integer
-- expect aggregate answer
SELECT CAST(extract(quarter from "public"."visits"."admitted") AS integer) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(extract(quarter from "public"."visits"."admitted") AS integer) ORDER BY CAST(extract(quarter from "public"."visits"."admitted") AS integer) ASC;

-- metabase 26: count by day-of-year
-- from driver/postgres.clj: extract-integer
-- expect aggregate answer
SELECT CAST(extract(doy from "public"."visits"."admitted") AS integer) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(extract(doy from "public"."visits"."admitted") AS integer) ORDER BY CAST(extract(doy from "public"."visits"."admitted") AS integer) ASC;

-- metabase 27: count by day-of-month
-- from driver/postgres.clj: extract-integer
-- expect aggregate answer
SELECT CAST(extract(day from "public"."visits"."admitted") AS integer) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(extract(day from "public"."visits"."admitted") AS integer) ORDER BY CAST(extract(day from "public"."visits"."admitted") AS integer) ASC;

-- metabase 28: count by year-of-era
-- from driver/postgres.clj: extract-integer
-- expect aggregate answer
SELECT CAST(extract(year from "public"."visits"."admitted") AS integer) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(extract(year from "public"."visits"."admitted") AS integer) ORDER BY CAST(extract(year from "public"."visits"."admitted") AS integer) ASC;

-- metabase 29: count by week-of-year-iso
-- from driver/postgres.clj: extract-integer
-- expect aggregate answer
SELECT CAST(extract(week from "public"."visits"."admitted") AS integer) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(extract(week from "public"."visits"."admitted") AS integer) ORDER BY CAST(extract(week from "public"."visits"."admitted") AS integer) ASC;

-- metabase 30: count by day of the week
-- from driver/postgres.clj: date, day-of-week
-- expect aggregate answer
SELECT (CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY (CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) ORDER BY (CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) ASC;

-- metabase 31: count by day of a week that begins on Monday
-- from driver/sql/query_processor.clj: adjust-day-of-week
-- expect aggregate answer
SELECT CASE WHEN (MOD(((CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) + 6), 7)) = 0 THEN 7 ELSE MOD(((CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) + 6), 7) END AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CASE WHEN (MOD(((CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) + 6), 7)) = 0 THEN 7 ELSE MOD(((CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) + 6), 7) END ORDER BY CASE WHEN (MOD(((CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) + 6), 7)) = 0 THEN 7 ELSE MOD(((CAST(extract(dow from "public"."visits"."admitted") AS integer) + 1) + 6), 7) END ASC;

-- metabase 32: count where: the last 30 days
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."admitted" >= CAST((DATE_TRUNC('day', (NOW() + INTERVAL '-30 day'))) AS date)) AND ("public"."visits"."admitted" < CAST(DATE_TRUNC('day', NOW()) AS date));

-- metabase 33: count where: the last month
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."admitted" >= DATE_TRUNC('month', (NOW() + INTERVAL '-1 month'))) AND ("public"."visits"."admitted" < DATE_TRUNC('month', NOW()));

-- metabase 34: count where: this year
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."admitted" >= DATE_TRUNC('year', NOW())) AND ("public"."visits"."admitted" < DATE_TRUNC('year', (NOW() + INTERVAL '1 year')));

-- metabase 35: count where: between two instants
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."admitted" >= timestamp with time zone '2024-01-01 00:00:00.000Z') AND ("public"."visits"."admitted" < timestamp with time zone '2024-07-01 00:00:00.000Z');

-- metabase 36: count where: between two dates
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."admitted" BETWEEN date '2023-01-01' AND date '2023-12-31');

-- metabase 37: count where: one day
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE "public"."visits"."admitted" = date '2024-05-02';

-- metabase 38: count where: a date that is cast
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE CAST("public"."visits"."admitted" AS date) BETWEEN date '2024-01-01' AND date '2024-03-31';

-- metabase 39: count where: one text
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE "public"."visits"."department" = 'Surgery';

-- metabase 40: count where: two texts
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."department" = 'Surgery') OR ("public"."visits"."department" = 'Emergency');

-- metabase 41: count where: not one text
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."department" <> 'Surgery') OR ("public"."visits"."department" IS NULL);

-- metabase 42: count where: contains
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE (LOWER("public"."visits"."department") LIKE '%med%');

-- metabase 43: count where: starts with
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."department" LIKE 'S%');

-- metabase 44: count where: ends with
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."department" LIKE '%y');

-- metabase 45: count where: does not contain
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE NOT (LOWER("public"."visits"."department") LIKE '%med%') OR ("public"."visits"."department" IS NULL);

-- metabase 46: count where: empty
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."department" IS NULL) OR ("public"."visits"."department" = '');

-- metabase 47: count where: not empty
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."department" IS NOT NULL) AND (("public"."visits"."department" <> '') OR ("public"."visits"."department" IS NULL));

-- metabase 48: count where: between numbers
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE ("public"."visits"."cost" > 1000) AND ("public"."visits"."cost" <= 5000);

-- metabase 49: count where: BETWEEN of numbers
-- from sql/query_processor.clj: filter
-- expect aggregate answer
SELECT COUNT(*) AS "count" FROM "public"."visits" WHERE "public"."visits"."cost" BETWEEN 100 AND 500;

-- metabase 50: count by bins of a number
-- from sql/query_processor.clj: binning
-- expect aggregate answer
SELECT ((FLOOR((("public"."patients"."income" - 0.0) / 10000.0)) * 10000.0) + 0.0) AS "income", COUNT(*) AS "count" FROM "public"."patients" GROUP BY ((FLOOR((("public"."patients"."income" - 0.0) / 10000.0)) * 10000.0) + 0.0) ORDER BY ((FLOOR((("public"."patients"."income" - 0.0) / 10000.0)) * 10000.0) + 0.0) ASC;

-- metabase 51: count by tens
-- from sql/query_processor.clj: binning
-- expect aggregate answer
SELECT (FLOOR(("public"."patients"."age" / 10.0)) * 10.0) AS "age", COUNT(*) AS "count" FROM "public"."patients" GROUP BY (FLOOR(("public"."patients"."age" / 10.0)) * 10.0) ORDER BY (FLOOR(("public"."patients"."age" / 10.0)) * 10.0) ASC;

-- metabase 52: count if
-- from sql/query_processor.clj: count-where
-- expect aggregate answer
SELECT SUM(CASE WHEN "public"."patients"."age" > 60 THEN 1 ELSE 0.0 END) AS "count_where" FROM "public"."patients";

-- metabase 53: share
-- from sql/query_processor.clj: share
-- expect aggregate answer
SELECT CAST(SUM(CASE WHEN "public"."patients"."disease" = 'Flu' THEN 1 ELSE 0.0 END) AS DOUBLE PRECISION) / NULLIF(COUNT(*), 0) AS "share" FROM "public"."patients";

-- metabase 54: sum if
-- from sql/query_processor.clj: sum-where
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department", SUM(CASE WHEN "public"."visits"."days" > 3 THEN "public"."visits"."cost" ELSE 0.0 END) AS "sum_where" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "sum_where" DESC, "public"."visits"."department" ASC;

-- metabase 55: cumulative count
-- from sql/query_processor.clj: cum-count
-- expect aggregate answer
SELECT CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) AS "admitted", SUM(COUNT(*)) OVER (ORDER BY CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) ASC ROWS UNBOUNDED PRECEDING) AS "count" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) ORDER BY CAST(DATE_TRUNC('year', "public"."visits"."admitted") AS date) ASC;

-- metabase 56: a question on a question
-- from sql/query_processor.clj: source-query
-- expect aggregate answer
SELECT "source"."department" AS "department", "source"."count" AS "count" FROM (SELECT "public"."visits"."department" AS "department", COUNT(*) AS "count" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC) AS "source" WHERE "source"."count" > 100 LIMIT 1048575;

-- metabase 57: the average of a result
-- from sql/query_processor.clj: source-query
-- expect aggregate answer
SELECT AVG("source"."count") AS "avg" FROM (SELECT "public"."visits"."department" AS "department", COUNT(*) AS "count" FROM "public"."visits" GROUP BY "public"."visits"."department") AS "source";

-- metabase 58: a model as the source
-- from sql/query_processor.clj: source-query
-- expect aggregate answer
SELECT "source"."sex" AS "sex", AVG("source"."income") AS "avg" FROM (SELECT "public"."patients"."sex" AS "sex", "public"."patients"."income" AS "income", "public"."patients"."age" AS "age" FROM "public"."patients" WHERE "public"."patients"."age" >= 18) AS "source" GROUP BY "source"."sex" ORDER BY "source"."sex" ASC;

-- metabase 59: a custom column
-- from sql/query_processor.clj: expressions
-- expect aggregate answer
SELECT "source"."old" AS "old", COUNT(*) AS "count" FROM (SELECT "public"."patients"."age" AS "age", CASE WHEN "public"."patients"."age" >= 65 THEN 'old' ELSE 'young' END AS "old" FROM "public"."patients") AS "source" GROUP BY "source"."old" ORDER BY "source"."old" ASC;

-- metabase 60: a custom column of numbers
-- from sql/query_processor.clj: expressions
-- expect aggregate answer
SELECT "source"."weekly" AS "weekly", COUNT(*) AS "count" FROM (SELECT "public"."visits"."days" AS "days", ("public"."visits"."days" / 7) AS "weekly" FROM "public"."visits") AS "source" GROUP BY "source"."weekly" ORDER BY "source"."weekly" ASC;

-- metabase 61: a joined column
-- from sql/query_processor.clj: join
-- expect aggregate answer
SELECT "Patients - Patient Ssn"."sex" AS "Patients - Patient Ssn__sex", COUNT(*) AS "count" FROM "public"."visits" LEFT JOIN "public"."patients" AS "Patients - Patient Ssn" ON "public"."visits"."patient_ssn" = "Patients - Patient Ssn"."ssn" GROUP BY "Patients - Patient Ssn"."sex" ORDER BY "Patients - Patient Ssn"."sex" ASC;

-- metabase 62: an aggregate over a join
-- from sql/query_processor.clj: join
-- expect aggregate answer
SELECT AVG("public"."visits"."cost") AS "avg" FROM "public"."visits" INNER JOIN "public"."patients" AS "Patients" ON "public"."visits"."patient_ssn" = "Patients"."ssn" WHERE "Patients"."age" > 60;

-- metabase 63: a public table joined
-- from sql/query_processor.clj: join
-- expect aggregate answer
SELECT "Departments"."floor" AS "Departments__floor", COUNT(*) AS "count" FROM "public"."visits" LEFT JOIN "public"."departments" AS "Departments" ON "public"."visits"."department" = "Departments"."department" GROUP BY "Departments"."floor" ORDER BY "Departments"."floor" ASC;

-- metabase 64: the difference of dates
-- from driver/postgres.clj: datetime-diff, day
-- expect aggregate answer
SELECT AVG((date '2025-01-01' - CAST("public"."visits"."admitted" AS DATE))) AS "avg" FROM "public"."visits" WHERE "public"."visits"."admitted" BETWEEN date '2020-01-01' AND date '2024-12-31';

-- metabase 65: whole years since
-- from driver/postgres.clj: datetime-diff, year
-- expect aggregate answer
SELECT CAST(extract(year from AGE(DATE_TRUNC('day', timestamp '2025-01-01'), DATE_TRUNC('day', "public"."visits"."admitted"))) AS integer) AS "years", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(extract(year from AGE(DATE_TRUNC('day', timestamp '2025-01-01'), DATE_TRUNC('day', "public"."visits"."admitted"))) AS integer) ORDER BY 1;

-- metabase 66: a part of a text by a pattern
-- from driver/postgres.clj: regex-match-first
-- expect aggregate answer
SELECT substring("public"."visits"."department" FROM '^[A-Z][a-z]+') AS "first", COUNT(*) AS "count" FROM "public"."visits" GROUP BY substring("public"."visits"."department" FROM '^[A-Z][a-z]+') ORDER BY 1;

-- metabase 67: concatenated
-- from sql/query_processor.clj: concat
-- expect aggregate answer
SELECT CONCAT("public"."patients"."sex", '-', CAST("public"."patients"."zipcode" AS TEXT)) AS "key", COUNT(*) AS "count" FROM "public"."patients" GROUP BY CONCAT("public"."patients"."sex", '-', CAST("public"."patients"."zipcode" AS TEXT)) ORDER BY 1;

-- metabase 68: coalesced
-- from sql/query_processor.clj: coalesce
-- expect aggregate answer
SELECT COALESCE("public"."patients"."disease", 'none') AS "disease", COUNT(*) AS "count" FROM "public"."patients" GROUP BY COALESCE("public"."patients"."disease", 'none') ORDER BY "count" DESC LIMIT 10;

-- metabase 69: another zone
-- from driver/postgres.clj: convert-timezone
-- expect aggregate answer
SELECT CAST(DATE_TRUNC('year', TIMEZONE('Europe/Berlin', TIMEZONE('UTC', CAST("public"."visits"."admitted" AS timestamp)))) AS date) AS "admitted", COUNT(*) AS "count" FROM "public"."visits" GROUP BY CAST(DATE_TRUNC('year', TIMEZONE('Europe/Berlin', TIMEZONE('UTC', CAST("public"."visits"."admitted" AS timestamp)))) AS date) ORDER BY 1;

-- metabase 70: several aggregates at once
-- from sql/query_processor.clj: aggregation
-- expect aggregate answer
SELECT "public"."patients"."sex" AS "sex", COUNT(*) AS "count", AVG("public"."patients"."age") AS "avg", SUM("public"."patients"."income") AS "sum" FROM "public"."patients" GROUP BY "public"."patients"."sex" ORDER BY "count" DESC, "public"."patients"."sex" ASC LIMIT 5;

-- metabase 71: the values of a filter
-- from models/field_values: distinct values
-- expect aggregate answer
SELECT "public"."visits"."department" AS "department" FROM "public"."visits" GROUP BY "public"."visits"."department" ORDER BY "public"."visits"."department" ASC LIMIT 1000;

-- metabase 72: rows of a table, shown
-- from sql/query_processor.clj: fields, limit
-- expect rows refuse 42501
SELECT "public"."patients"."ssn" AS "ssn", "public"."patients"."age" AS "age", "public"."patients"."sex" AS "sex" FROM "public"."patients" LIMIT 2000;

-- metabase 73: a look at values when a table is added
-- from analyze/fingerprint: table-rows-sample
-- expect rows refuse 42501
SELECT SUBSTRING("public"."patients"."disease", 1, 1234) AS "substring1", "public"."patients"."age" AS "age" FROM "public"."patients" LIMIT 10000;

-- metabase 74: one row by its key
-- from sql/query_processor.clj: filter
-- expect rows refuse 42501
SELECT "public"."patients"."age" AS "age", "public"."patients"."disease" AS "disease" FROM "public"."patients" WHERE "public"."patients"."ssn" = '123' LIMIT 1;

-- metabase 75: is it there?
-- from driver/sql_jdbc: can-connect
-- expect session answer
SELECT 1;
