-- What Looker sends to PostgreSQL. Recorded: github.com/AdobeDocs/analytics-platform.en,
-- help/use-cases/data-views/bi-extension/sort.md, limits.md and transformations.md; public code that holds its
-- queries (found by "(DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-6 || ' day')::INTERVAL)" and by
-- "z___pivot_row_rank"). Statements are composed of these forms; dimensions, tiers and measures are those of
-- cloud.google.com/looker/docs.

-- looker 1: count by month
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (TO_CHAR(DATE_TRUNC('month', visits.admitted ), 'YYYY-MM')) AS "visits.admitted_month",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    (DATE_TRUNC('month', visits.admitted ))
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 2: total_cost by month
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (TO_CHAR(DATE_TRUNC('month', visits.admitted ), 'YYYY-MM')) AS "visits.admitted_month",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
GROUP BY
    (DATE_TRUNC('month', visits.admitted ))
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 3: average_cost by month
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (TO_CHAR(DATE_TRUNC('month', visits.admitted ), 'YYYY-MM')) AS "visits.admitted_month",
    AVG(visits.cost ) AS "visits.average_cost"
FROM public.visits  AS visits
GROUP BY
    (DATE_TRUNC('month', visits.admitted ))
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 4: count by quarter
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (TO_CHAR(DATE_TRUNC('quarter', visits.admitted ), 'YYYY-MM')) AS "visits.admitted_quarter",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    (DATE_TRUNC('quarter', visits.admitted ))
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 5: total_cost by quarter
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (TO_CHAR(DATE_TRUNC('quarter', visits.admitted ), 'YYYY-MM')) AS "visits.admitted_quarter",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
GROUP BY
    (DATE_TRUNC('quarter', visits.admitted ))
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 6: average_cost by quarter
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (TO_CHAR(DATE_TRUNC('quarter', visits.admitted ), 'YYYY-MM')) AS "visits.admitted_quarter",
    AVG(visits.cost ) AS "visits.average_cost"
FROM public.visits  AS visits
GROUP BY
    (DATE_TRUNC('quarter', visits.admitted ))
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 7: count by date
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (DATE(visits.admitted )) AS "visits.admitted_date",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 8: count by year
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (EXTRACT(YEAR FROM visits.admitted )::integer) AS "visits.admitted_year",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 9: count by month_num
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (EXTRACT(MONTH FROM visits.admitted )::integer) AS "visits.admitted_month_num",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 10: count by quarter_of_year
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (CEIL(EXTRACT(MONTH FROM visits.admitted )::integer / 3.0)::integer) AS "visits.admitted_quarter_of_year",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 11: count by day_of_week
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (TO_CHAR(visits.admitted , 'Day')) AS "visits.admitted_day_of_week",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 12: count by day_of_week_index
-- from documentation: dimension_group
-- expect aggregate answer
SELECT
    (MOD(EXTRACT(DOW FROM visits.admitted )::integer - 1 + 7, 7)) AS "visits.admitted_day_of_week_index",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    1 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 13: the last 7 days
-- from public queries of Looker: (n || ' day')::INTERVAL
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
WHERE ((( visits.admitted  ) >= ((SELECT (DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-6 || ' day')::INTERVAL))) AND ( visits.admitted  ) < ((SELECT ((DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-6 || ' day')::INTERVAL) + (7 || ' day')::INTERVAL)))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 14: the last 30 days
-- from public queries of Looker: (n || ' day')::INTERVAL
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
WHERE ((( visits.admitted  ) >= ((SELECT (DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-29 || ' day')::INTERVAL))) AND ( visits.admitted  ) < ((SELECT ((DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-29 || ' day')::INTERVAL) + (30 || ' day')::INTERVAL)))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 15: the last 90 days
-- from public queries of Looker: (n || ' day')::INTERVAL
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
WHERE ((( visits.admitted  ) >= ((SELECT (DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-89 || ' day')::INTERVAL))) AND ( visits.admitted  ) < ((SELECT ((DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-89 || ' day')::INTERVAL) + (90 || ' day')::INTERVAL)))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 16: the last 365 days
-- from public queries of Looker: (n || ' day')::INTERVAL
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
WHERE ((( visits.admitted  ) >= ((SELECT (DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-364 || ' day')::INTERVAL))) AND ( visits.admitted  ) < ((SELECT ((DATE_TRUNC('day', CURRENT_TIMESTAMP) + (-364 || ' day')::INTERVAL) + (365 || ' day')::INTERVAL)))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 17: a filter: is
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE (visits.department ) = 'Surgery'
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 18: a filter: is any of
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE (visits.department ) IN ('Surgery', 'Emergency')
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 19: a filter: is not
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE ((visits.department ) <> 'Surgery' OR (visits.department ) IS NULL)
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 20: a filter: contains
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE (visits.department ) LIKE '%urg%'
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 21: a filter: begins with, either case
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE (visits.department ) ILIKE 'S%'
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 22: a filter: is above
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE (visits.cost ) > 100
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 23: a filter: is in a range
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE ((visits.cost ) >= 100 AND (visits.cost ) < 500)
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 24: a filter: is in a range of dates
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE ((( visits.admitted ) >= (DATE('2023-01-01')) AND ( visits.admitted ) < (DATE('2024-01-01'))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 25: a filter: is in a range of instants
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE ((( visits.admitted ) >= (TIMESTAMP '2023-01-01') AND ( visits.admitted ) < (TIMESTAMP '2023-07-01')))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 26: a filter: is null
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE (visits.cost ) IS NULL
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 27: a filter: is this year
-- from documentation: filters
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(DISTINCT visits.patient_ssn ) AS "visits.count_patients",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
WHERE ((( visits.admitted ) >= ((SELECT DATE_TRUNC('year', CURRENT_DATE))) AND ( visits.admitted ) < ((SELECT (DATE_TRUNC('year', CURRENT_DATE) + (1 || ' year')::INTERVAL)))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 28: an explore with a join
-- from documentation: joins
-- expect aggregate answer
SELECT
    patients.sex  AS "patients.sex",
    AVG(visits.cost ) AS "visits.average_cost"
FROM public.visits  AS visits
LEFT JOIN public.patients  AS patients ON visits.patient_ssn = patients.ssn
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 29: a tier
-- from documentation: tier
-- expect aggregate answer
SELECT
    CASE
WHEN patients.age  < 18 THEN '0'
WHEN patients.age  >= 18 AND patients.age  < 65 THEN '1'
WHEN patients.age  >= 65 THEN '2'
ELSE 'Undefined'
END AS "patients.age_tier__sort_",
    COUNT(*) AS "patients.count"
FROM public.patients  AS patients
GROUP BY
    1
ORDER BY
    1
FETCH NEXT 500 ROWS ONLY;

-- looker 30: a yesno
-- from documentation: yesno
-- expect aggregate answer
SELECT
    CASE WHEN patients.age >= 65  THEN 'Yes' ELSE 'No' END AS "patients.is_old",
    COUNT(*) AS "patients.count",
    AVG(patients.income ) AS "patients.average_income"
FROM public.patients  AS patients
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 31: a filtered measure
-- from documentation: filters of measures
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    COUNT(CASE WHEN (visits.days > 7) THEN 1 ELSE NULL END) AS "visits.count_long"
FROM public.visits  AS visits
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 32: a measure filter
-- from documentation: HAVING
-- expect aggregate answer
SELECT
    patients.disease  AS "patients.disease",
    COUNT(*) AS "patients.count"
FROM public.patients  AS patients
GROUP BY
    1
HAVING
    (COUNT(*) > 100)
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 33: a pivot
-- from public queries of Looker: z___pivot_row_rank
-- expect aggregate answer
SELECT * FROM (
SELECT *, DENSE_RANK() OVER (ORDER BY z___min_rank) as z___pivot_row_rank, RANK() OVER (PARTITION BY z__pivot_col_rank ORDER BY z___min_rank) as z__pivot_col_ordering, CASE WHEN z___min_rank = z___rank THEN 1 ELSE 0 END AS z__is_highest_ranked_cell FROM (
SELECT *, MIN(z___rank) OVER (PARTITION BY "visits.department") as z___min_rank FROM (
SELECT *, RANK() OVER (ORDER BY CASE WHEN z__pivot_col_rank=1 THEN (CASE WHEN "visits.count" IS NOT NULL THEN 0 ELSE 1 END) ELSE 2 END, CASE WHEN z__pivot_col_rank=1 THEN "visits.count" ELSE NULL END DESC NULLS LAST, "visits.count" DESC, z__pivot_col_rank, "visits.department") AS z___rank FROM (
SELECT *, DENSE_RANK() OVER (ORDER BY CASE WHEN "visits.admitted_year" IS NULL THEN 1 ELSE 0 END, "visits.admitted_year") AS z__pivot_col_rank FROM (
SELECT
    visits.department  AS "visits.department",
    (EXTRACT(YEAR FROM visits.admitted )::integer) AS "visits.admitted_year",
    COUNT(*) AS "visits.count"
FROM public.visits  AS visits
GROUP BY
    1,
    2) ww
) bb WHERE z__pivot_col_rank <= 16384
) aa
) xx
) zz
 WHERE (z__pivot_col_rank <= 50 OR z__is_highest_ranked_cell = 1) AND (z___pivot_row_rank <= 500 OR z__pivot_col_ordering = 1) ORDER BY z___pivot_row_rank;

-- looker 34: totals
-- from documentation: totals
-- expect aggregate answer
SELECT
    COUNT(*) AS "visits.count",
    COALESCE(SUM(visits.cost ), 0) AS "visits.total_cost"
FROM public.visits  AS visits
FETCH NEXT 1 ROWS ONLY;

-- looker 35: a derived table
-- from documentation: derived_table
-- expect aggregate answer
WITH by_department AS (SELECT department, count(*) AS n FROM visits GROUP BY department )
SELECT
    AVG(by_department.n ) AS "by_department.average_n"
FROM by_department
FETCH NEXT 500 ROWS ONLY;

-- looker 36: suggestions of a filter
-- from documentation: suggestions
-- expect aggregate answer
SELECT DISTINCT visits.department  AS "visits.department"
FROM public.visits  AS visits
WHERE visits.department  ILIKE 'S%'
ORDER BY
    1
FETCH NEXT 1000 ROWS ONLY;

-- looker 37: percentiles
-- from documentation: percentile
-- expect aggregate answer
SELECT
    visits.department  AS "visits.department",
    PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY visits.cost ) AS "visits.median_cost"
FROM public.visits  AS visits
GROUP BY
    1
FETCH NEXT 500 ROWS ONLY;

-- looker 38: a detail of rows
-- from documentation: drill
-- expect rows refuse 42501
SELECT
    visits.department  AS "visits.department",
    visits.cost  AS "visits.cost"
FROM public.visits  AS visits
FETCH NEXT 500 ROWS ONLY;

-- looker 39: the largest five
-- from bi-extension/limits.md
-- expect aggregate answer
SELECT
    visits."department"  AS "visits.department",
    COUNT(*) AS "visits.count"
FROM
    "public"."visits" AS "visits"
WHERE ((( visits."admitted"  ) >= (DATE_TRUNC('day', DATE '2023-01-31')) AND ( visits."admitted"  ) < (DATE_TRUNC('day', DATE '2024-01-01'))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 5 ROWS ONLY;

-- looker 40: a custom measure
-- from bi-extension/sort.md
-- expect aggregate answer
SELECT
    visits."department"  AS "visits.department",
    COALESCE(SUM(CAST(( visits."cost"  ) AS DOUBLE PRECISION)), 0) AS "cost"
FROM
    "public"."visits" AS "visits"
WHERE ((( visits."admitted"  ) >= (DATE_TRUNC('day', DATE '2023-01-31')) AND ( visits."admitted"  ) < (DATE_TRUNC('day', DATE '2023-02-01'))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;

-- looker 41: a custom dimension
-- from bi-extension/transformations.md
-- expect aggregate answer
SELECT
    LOWER((visits."department")) AS "department",
    COALESCE(SUM(CAST(( visits."cost"  ) AS DOUBLE PRECISION)), 0) AS "sum_of_cost",
    COALESCE(SUM(CAST(( visits."days"  ) AS DOUBLE PRECISION)), 0) AS "sum_of_days"
FROM public.visits  AS visits
WHERE ((( visits."admitted"  ) >= (DATE_TRUNC('day', DATE '2023-01-01')) AND ( visits."admitted"  ) < (DATE_TRUNC('day', DATE '2024-01-01'))))
GROUP BY
    1
ORDER BY
    2 DESC
FETCH NEXT 500 ROWS ONLY;
