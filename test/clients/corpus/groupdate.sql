-- What Rails sends when charts are made with groupdate. Its sources: github.com/ankane/groupdate,
-- lib/groupdate/adapters/postgresql_adapter.rb (the expression of each period) and relation_builder.rb; the rest
-- is what Active Record writes for count, sum, average and exists?.

-- groupdate 1: count by month
-- from postgresql_adapter.rb: month
-- expect aggregate answer
SELECT COUNT(*) AS "count_all", DATE_TRUNC('month', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::date AS "date_trunc_month" FROM "visits" WHERE "visits"."admitted" >= '2023-01-01 00:00:00' AND "visits"."admitted" < '2024-01-01 00:00:00' GROUP BY DATE_TRUNC('month', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::date;

-- groupdate 2: sum by quarter
-- from postgresql_adapter.rb: quarter
-- expect aggregate answer
SELECT SUM("visits"."cost") AS "sum_cost", DATE_TRUNC('quarter', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::date AS "date_trunc_quarter" FROM "visits" WHERE "visits"."admitted" IS NOT NULL GROUP BY DATE_TRUNC('quarter', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::date;

-- groupdate 3: count by week that begins on Sunday
-- from postgresql_adapter.rb: week
-- expect aggregate answer
SELECT COUNT(*) AS "count_all", (DATE_TRUNC('day', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC' - INTERVAL '1 day' * ((7 + EXTRACT(DOW FROM "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::integer) % 7)))::date AS "date_trunc_day" FROM "visits" WHERE "visits"."admitted" IS NOT NULL GROUP BY (DATE_TRUNC('day', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC' - INTERVAL '1 day' * ((7 + EXTRACT(DOW FROM "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::integer) % 7)))::date;

-- groupdate 4: count by day of the week
-- from postgresql_adapter.rb: day_of_week
-- expect aggregate answer
SELECT COUNT(*) AS "count_all", EXTRACT(DOW FROM "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::integer AS "extract_dow" FROM "visits" WHERE "visits"."admitted" IS NOT NULL GROUP BY EXTRACT(DOW FROM "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::integer;

-- groupdate 5: average by month of the year
-- from postgresql_adapter.rb: month_of_year
-- expect aggregate answer
SELECT AVG("visits"."cost") AS "average_cost", EXTRACT(MONTH FROM "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::integer AS "extract_month" FROM "visits" WHERE "visits"."admitted" IS NOT NULL GROUP BY EXTRACT(MONTH FROM "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::integer;

-- groupdate 6: count by hours
-- from postgresql_adapter.rb: hour
-- expect aggregate answer
SELECT COUNT(*) AS "count_all", DATE_TRUNC('hour', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC') AT TIME ZONE 'Etc/UTC' AS "date_trunc_hour" FROM "visits" WHERE "visits"."admitted" >= '2023-05-01 00:00:00' AND "visits"."admitted" <= '2023-05-02 00:00:00' GROUP BY DATE_TRUNC('hour', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC') AT TIME ZONE 'Etc/UTC';

-- groupdate 7: count by spans of thirty days
-- from postgresql_adapter.rb: custom
-- expect aggregate answer
SELECT COUNT(*) AS "count_all", TO_TIMESTAMP(FLOOR(EXTRACT(EPOCH FROM "visits"."admitted"::timestamptz) / 2592000) * 2592000) AS "to_timestamp_floor" FROM "visits" WHERE "visits"."admitted" IS NOT NULL GROUP BY TO_TIMESTAMP(FLOOR(EXTRACT(EPOCH FROM "visits"."admitted"::timestamptz) / 2592000) * 2592000);

-- groupdate 8: distinct people by a column and month
-- from Active Record: distinct.count
-- expect aggregate answer
SELECT COUNT(DISTINCT "visits"."patient_ssn") AS "count_patient_ssn", "visits"."department" AS "visits_department", DATE_TRUNC('month', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::date AS "date_trunc_month" FROM "visits" INNER JOIN "patients" ON "patients"."ssn" = "visits"."patient_ssn" WHERE "patients"."age" BETWEEN 18 AND 65 GROUP BY "visits"."department", DATE_TRUNC('month', "visits"."admitted"::timestamptz AT TIME ZONE 'Etc/UTC')::date;

-- groupdate 9: is there one
-- from Active Record: exists?
-- expect rows refuse 42501
SELECT 1 AS one FROM "visits" WHERE "visits"."department" = 'Surgery' LIMIT 1;
