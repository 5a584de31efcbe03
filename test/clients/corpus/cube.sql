-- What Cube sends to PostgreSQL. Its sources: github.com/cube-js/cube,
-- packages/cubejs-schema-compiler/src/adapter/PostgresQuery.ts (convertTz, timeGroupedColumn, dateBin,
-- sqlTemplates), BaseFilter.ts and BaseQuery.js; statements are composed of these forms, with the values of
-- parameters written out.

-- cube 1: count by month
-- from PostgresQuery.ts: timeGroupedColumn, convertTz
-- expect aggregate answer
SELECT
      date_trunc('month', ("visits".admitted::timestamptz AT TIME ZONE 'UTC')) "visits__admitted_month", count(*) "visits__count"
    FROM
      public.visits AS "visits"
  WHERE ("visits".admitted >= '2023-01-01T00:00:00.000Z'::timestamptz AND "visits".admitted <= '2023-12-31T23:59:59.999Z'::timestamptz) GROUP BY 1 ORDER BY 1 ASC LIMIT 10000;

-- cube 2: spans of two weeks
-- from PostgresQuery.ts: dateBin
-- expect aggregate answer
SELECT
      ('2023-01-01T00:00:00.000'::timestamp + INTERVAL '2 weeks' *
      FLOOR(
        EXTRACT(EPOCH FROM (("visits".admitted::timestamptz AT TIME ZONE 'UTC') - '2023-01-01T00:00:00.000'::timestamp)) /
        EXTRACT(EPOCH FROM INTERVAL '2 weeks')
      )) "visits__admitted_fortnight", count(*) "visits__count"
    FROM
      public.visits AS "visits"
  WHERE ("visits".admitted >= '2023-01-01T00:00:00.000Z'::timestamptz AND "visits".admitted <= '2023-12-31T23:59:59.999Z'::timestamptz) GROUP BY 1 ORDER BY 1 ASC LIMIT 10000;

-- cube 3: contains, either case
-- from BaseFilter.ts: likeOr
-- expect aggregate answer
SELECT
      "visits".department "visits__department", sum("visits".cost) "visits__cost"
    FROM
      public.visits AS "visits"
  WHERE ("visits".department ILIKE '%' || 'urg' || '%' OR "visits".department ILIKE '%' || 'med' || '%') GROUP BY 1 ORDER BY 2 DESC LIMIT 10000;

-- cube 4: not one value
-- from BaseFilter.ts: notEqualsWhere, orIsNullCheck
-- expect aggregate answer
SELECT
      count(distinct "visits".patient_ssn) "visits__patients", avg("visits".cost) "visits__average"
    FROM
      public.visits AS "visits"
  WHERE ("visits".department <> 'Surgery' OR "visits".department IS NULL) AND ("visits".days NOT IN (0, 1) OR "visits".days IS NULL) LIMIT 10000;

-- cube 5: a filter of a measure
-- from BaseQuery.js: measure filters
-- expect aggregate answer
SELECT
      "visits".department "visits__department", count(*) "visits__count"
    FROM
      public.visits AS "visits"
  GROUP BY 1 HAVING (count(*) > 100) ORDER BY 2 DESC LIMIT 10000;

-- cube 6: joined cubes
-- from BaseQuery.js: joins
-- expect aggregate answer
SELECT
      "patients".sex "patients__sex", date_trunc('quarter', ("visits".admitted::timestamptz AT TIME ZONE 'UTC')) "visits__admitted_quarter", count(*) "visits__count"
    FROM
      public.visits AS "visits"
LEFT JOIN public.patients AS "patients" ON "visits".patient_ssn = "patients".ssn
  WHERE ("patients".sex IN ('F', 'M')) GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 10000;

-- cube 7: the last seven days, rolling
-- from sqlTemplates: generated_time_series_select; BaseQuery.js: rolling windows
-- expect aggregate answer
SELECT q_0."visits__admitted_day", "visits__rolling" "visits__rolling" FROM (SELECT "visits.admitted_series"."date_from" "visits__admitted_day", sum("visits__rolling_base__cost") "visits__rolling" FROM (SELECT d AS "date_from",
d + interval '1 day' - interval '1 millisecond' AS "date_to" 
FROM generate_series('2023-03-01T00:00:00.000'::timestamp, '2023-03-31T23:59:59.999':: timestamp, '1 day'::interval) d ) AS "visits.admitted_series" LEFT JOIN (SELECT date_trunc('day', ("visits".admitted::timestamptz AT TIME ZONE 'UTC')) "visits__admitted_day", sum("visits".cost) "visits__rolling_base__cost" FROM public.visits AS "visits" WHERE ("visits".admitted >= '2023-02-22T00:00:00.000Z'::timestamptz AND "visits".admitted <= '2023-03-31T23:59:59.999Z'::timestamptz) GROUP BY 1) AS "visits_rolling_base" ON "visits_rolling_base"."visits__admitted_day" > "visits.admitted_series"."date_to" - interval '7 day' AND "visits_rolling_base"."visits__admitted_day" <= "visits.admitted_series"."date_to" GROUP BY 1) as q_0 ORDER BY 1 ASC LIMIT 10000;

-- cube 8: months since
-- from sqlTemplates: DATEDIFF
-- expect aggregate answer
SELECT CASE WHEN LOWER('month') IN ('year', 'quarter', 'month') THEN (EXTRACT(YEAR FROM AGE(DATE_TRUNC('month', CURRENT_DATE), DATE_TRUNC('month', "visits".admitted))) * 12 + EXTRACT(MONTH FROM AGE(DATE_TRUNC('month', CURRENT_DATE), DATE_TRUNC('month', "visits".admitted)))) / CASE LOWER('month') WHEN 'year' THEN 12 WHEN 'quarter' THEN 3 WHEN 'month' THEN 1 END ELSE EXTRACT(EPOCH FROM DATE_TRUNC('month', CURRENT_DATE) - DATE_TRUNC('month', "visits".admitted)) / EXTRACT(EPOCH FROM '1 month'::interval) END::bigint "months", count(*) "visits__count" FROM public.visits AS "visits" GROUP BY 1 LIMIT 50000;

-- cube 9: dimensions without measures
-- from BaseQuery.js: ungrouped is off
-- expect aggregate answer
SELECT
      "visits".department "visits__department"
    FROM
      public.visits AS "visits"  GROUP BY 1 ORDER BY 1 ASC LIMIT 10000;

-- cube 10: ungrouped rows
-- from BaseQuery.js: ungrouped
-- expect rows refuse 42501
SELECT
      "visits".department "visits__department", "visits".cost "visits__cost"
    FROM
      public.visits AS "visits"  LIMIT 10000;
