-- What Lightdash sends. Its source: github.com/lightdash/lightdash, the snapshots of
-- packages/backend/src/utils/QueryBuilder (metricQueryBuilderSnapshots, pivotQueryBuilderSnapshots), which
-- hold what it writes; tables and columns are put in their places.

-- lightdash 1: a metric query with a calculation
-- from coreQueries: a simple metric query
-- expect aggregate answer
WITH
  metrics AS (
    SELECT
      "visits".department AS "visits_department",
      MAX("visits".cost) AS "visits_max_cost"
    FROM
      "clinic"."public"."visits" AS "visits"
    GROUP BY
      1
  )
SELECT
  *,
  visits_max_cost + 1 AS "calc3"
FROM
  metrics
ORDER BY
  "visits_max_cost" DESC
LIMIT
  10;

-- lightdash 2: a metric query across two tables
-- from coreQueries: a metric query across two tables
-- expect aggregate answer
WITH
  metrics AS (
    SELECT
      "departments".floor AS "departments_floor",
      SUM("visits".cost) AS "visits_cost"
    FROM
      "clinic"."public"."visits" AS "visits"
      LEFT OUTER JOIN "clinic"."public"."departments" AS "departments" ON ("visits".department) = ("departments".department)
    GROUP BY
      1
  )
SELECT
  *,
  departments_floor + visits_cost AS "calc3"
FROM
  metrics
ORDER BY
  "visits_cost" DESC
LIMIT
  10;

-- lightdash 3: metrics alone
-- from coreQueries: a metric-only query
-- expect aggregate answer
WITH
  metrics AS (
    SELECT
      COUNT("visits".visit_id) AS "visits_count",
      AVG("visits".days) AS "visits_days"
    FROM
      "clinic"."public"."visits" AS "visits"
  )
SELECT
  *,
  visits_count * visits_days AS "calc3"
FROM
  metrics
LIMIT
  10;

-- lightdash 4: a dimension alone, with filters joined by OR
-- from filterQueries: a dimension filter query with OR logic
-- expect aggregate answer
SELECT
  "visits".department AS "visits_department"
FROM
  "clinic"."public"."visits" AS "visits"
WHERE
  (
    ((("visits".days) IN (0)))
    OR (("visits".days) IS NOT NULL)
  )
GROUP BY
  1
ORDER BY
  "visits_department" DESC
LIMIT
  10;

-- lightdash 5: a filter of a metric
-- from filterQueries: a nested metric-filter query
-- expect aggregate answer
WITH
  metrics AS (
    SELECT
      "visits".department AS "visits_department",
      COUNT("visits".visit_id) AS "visits_count"
    FROM
      "clinic"."public"."visits" AS "visits"
    GROUP BY
      1
  )
SELECT
  *
FROM
  metrics
WHERE
  (
    (("visits_count") IS NOT NULL)
    AND (
      (("visits_count") > (100))
      OR (("visits_count") IN (1))
    )
  )
ORDER BY
  "visits_count" DESC
LIMIT
  10;

-- lightdash 6: a disabled filter
-- from filterQueries: a query with enabled and disabled filters
-- expect aggregate answer
SELECT
  "visits".department AS "visits_department",
  SUM("visits".cost) AS "visits_cost"
FROM
  "clinic"."public"."visits" AS "visits"
WHERE
  (
    (("visits".department) IN ('Surgery'))
    AND (1 = 1)
  )
GROUP BY
  1
ORDER BY
  "visits_cost" DESC
LIMIT
  10;

-- lightdash 7: a filter by an attribute of the user
-- from filterQueries: a SQL filter using user attributes
-- expect aggregate answer
SELECT
  "visits".department AS "visits_department",
  MAX("visits".cost) AS "visits_max_cost"
FROM
  "clinic"."public"."visits" AS "visits"
WHERE
  ('EU' = 'EU')
GROUP BY
  1
ORDER BY
  "visits_max_cost" DESC
LIMIT
  10;

-- lightdash 8: shares of a total
-- from totalsQueries: a dependent total-calculation query
-- expect aggregate answer
WITH
  metrics AS (
    SELECT
      "visits".department AS "visits_department",
      SUM("visits".cost) AS "visits_cost"
    FROM
      "clinic"."public"."visits" AS "visits"
    GROUP BY
      1
  ),
  column_totals AS (
    SELECT
      SUM("visits".cost) AS "visits_cost__total"
    FROM
      "clinic"."public"."visits" AS "visits"
  ),
  with_totals AS (
    SELECT
      metrics.*,
      column_totals."visits_cost__total"
    FROM
      metrics
      CROSS JOIN column_totals
  ),
  tc_pct_total AS (
    SELECT
      *,
      "visits_cost" / "visits_cost__total" AS "pct_total"
    FROM
      with_totals
  ),
  tc_double_pct AS (
    SELECT
      *,
      "pct_total" * 2 AS "double_pct"
    FROM
      tc_pct_total
  )
SELECT
  *
FROM
  tc_double_pct
ORDER BY
  "visits_cost" DESC
LIMIT
  10;

-- lightdash 9: totals of rows and columns
-- from totalsQueries: a pivoted totals query
-- expect aggregate answer
WITH
  metrics AS (
    SELECT
      "patients".sex AS "patients_sex",
      "patients".zipcode AS "patients_zipcode",
      SUM("patients".income) AS "patients_income"
    FROM
      "clinic"."public"."patients" AS "patients"
    GROUP BY
      1,
      2
  ),
  column_totals AS (
    SELECT
      SUM("patients".income) AS "patients_income__total"
    FROM
      "clinic"."public"."patients" AS "patients"
  ),
  row_totals AS (
    SELECT
      "patients_sex",
      SUM("patients_income") AS "patients_income__row_total"
    FROM
      metrics
    GROUP BY
      1
  ),
  with_totals AS (
    SELECT
      metrics.*,
      column_totals."patients_income__total",
      row_totals."patients_income__row_total"
    FROM
      metrics
      CROSS JOIN column_totals
      LEFT JOIN row_totals ON (
        metrics."patients_sex" = row_totals."patients_sex"
        OR (
          metrics."patients_sex" IS NULL
          AND row_totals."patients_sex" IS NULL
        )
      )
  )
SELECT
  *,
  "patients_income" / "patients_income__total" AS "pct_total",
  "patients_income" / "patients_income__row_total" AS "pct_row"
FROM
  with_totals
ORDER BY
  "patients_income" DESC
LIMIT
  10;

-- lightdash 10: per cent of a total
-- from postCalculationQueries: a percent-of-total post-calculation query
-- expect aggregate answer
WITH
  metrics AS (
    SELECT
      "visits".department AS "visits_department",
      SUM("visits".days) AS "visits_days"
    FROM
      "clinic"."public"."visits" AS "visits"
    GROUP BY
      1
  ),
  postcalculation_metrics AS (
    SELECT
      *,
      (
        CAST(metrics."visits_days" AS FLOAT) / CAST(
          NULLIF(SUM(metrics."visits_days") OVER (), 0) AS FLOAT
        )
      ) AS "visits_percent_of_total_metric"
    FROM
      metrics
  )
SELECT
  *
FROM
  postcalculation_metrics
ORDER BY
  "visits_days" DESC
LIMIT
  10;

-- lightdash 11: a running total
-- from postCalculationQueries: a running-total post-calculation query
-- expect aggregate answer
WITH
  metrics AS (
    SELECT
      DATE_TRUNC('MONTH', "visits".admitted) AS "visits_admitted_month",
      "visits".department AS "visits_department",
      SUM("visits".cost) AS "visits_cost"
    FROM
      "clinic"."public"."visits" AS "visits"
    GROUP BY
      1,
      2
  ),
  postcalculation_metrics AS (
    SELECT
      *,
      SUM(metrics."visits_cost") OVER (
        PARTITION BY
          "visits_department"
        ORDER BY
          "visits_cost" DESC ROWS BETWEEN UNBOUNDED PRECEDING
          AND CURRENT ROW
      ) AS "visits_running_total_metric"
    FROM
      metrics
  )
SELECT
  *
FROM
  postcalculation_metrics
ORDER BY
  "visits_cost" DESC
LIMIT
  10;

-- lightdash 12: bins of a fixed width
-- from customDimensionQueries: a fixed-width custom dimension query in Postgres
-- expect aggregate answer
SELECT
  (
    FLOOR("patients".age / 10) * 10 || ' - ' || (FLOOR("patients".age / 10) + 1) * 10 - 1
  ) AS "age_range",
  FLOOR("patients".age / 10) * 10 AS "age_range_order",
  MAX("patients".income) AS "patients_max_income"
FROM
  "clinic"."public"."patients" AS "patients"
GROUP BY
  1,
  2
ORDER BY
  "patients_max_income" DESC
LIMIT
  10;

-- lightdash 13: bins between the extremes
-- from customDimensionQueries: a binned custom dimension query
-- expect aggregate answer
WITH  age_range_cte AS (
                    SELECT
                        FLOOR(MIN("patients".age)) AS min_id,
                        CEIL(MAX("patients".age)) AS max_id,
                        FLOOR((MAX("patients".age) - MIN("patients".age)) / 3) AS bin_width
                    FROM "clinic"."public"."patients" AS "patients"
                )
SELECT
CASE
                    WHEN "patients".age IS NULL THEN NULL
WHEN "patients".age >= age_range_cte.min_id + age_range_cte.bin_width * 0 AND "patients".age < age_range_cte.min_id + age_range_cte.bin_width * 1 THEN CONCAT(age_range_cte.min_id + age_range_cte.bin_width * 0, ' - ', age_range_cte.min_id + age_range_cte.bin_width * 1)
WHEN "patients".age >= age_range_cte.min_id + age_range_cte.bin_width * 1 AND "patients".age < age_range_cte.min_id + age_range_cte.bin_width * 2 THEN CONCAT(age_range_cte.min_id + age_range_cte.bin_width * 1, ' - ', age_range_cte.min_id + age_range_cte.bin_width * 2)
ELSE CONCAT(age_range_cte.min_id + age_range_cte.bin_width * 2, ' - ', age_range_cte.max_id)
                    END
                    AS "age_range",
  COUNT("patients".ssn) AS "patients_count"
FROM "clinic"."public"."patients" AS "patients"
CROSS JOIN age_range_cte
GROUP BY 1
ORDER BY "patients_count" DESC
LIMIT 10;

-- lightdash 14: a dimension that is a condition
-- from customDimensionQueries: a custom SQL dimension query
-- expect aggregate answer
SELECT
  "patients".sex AS "patients_sex",
  ("patients".age < 18) AS "is_adult",
  COUNT("patients".ssn) AS "patients_count"
FROM
  "clinic"."public"."patients" AS "patients"
GROUP BY
  1,
  2
ORDER BY
  "patients_count" DESC
LIMIT
  10;

-- lightdash 15: a year beside the year before
-- from periodOverPeriodQueries: a period-over-period query
-- expect aggregate answer
WITH
  base_metrics AS (
    SELECT
      DATE_TRUNC('YEAR', "visits".admitted) AS "visits_admitted_year",
      SUM("visits".cost) AS "visits_total_cost"
    FROM
      "clinic"."public"."visits" AS "visits"
    WHERE
      (
        (("visits".department) = ('Surgery'))
        AND (
          (DATE_TRUNC('YEAR', "visits".admitted)) = ('2023-01-01')
        )
      )
    GROUP BY
      1
  ),
  pop_min_max_year_1__00jq2hag AS (
    SELECT
      MIN(base_metrics."visits_admitted_year") as min_date,
      MAX(base_metrics."visits_admitted_year") as max_date
    FROM
      base_metrics
  ),
  pop_metrics_year_1__00jq2hag AS (
    SELECT
      DATE_TRUNC('YEAR', "visits".admitted) AS "visits_admitted_year",
      SUM("visits".cost) AS "visits_total_cost__pop__year_1__snapshot"
    FROM
      "clinic"."public"."visits" AS "visits"
      LEFT JOIN pop_min_max_year_1__00jq2hag ON TRUE
    WHERE
      ((("visits".department) = ('Surgery')))
      AND DATE_TRUNC('YEAR', "visits".admitted) >= pop_min_max_year_1__00jq2hag.min_date - INTERVAL '1 YEAR'
      AND DATE_TRUNC('YEAR', "visits".admitted) <= pop_min_max_year_1__00jq2hag.max_date - INTERVAL '1 YEAR'
    GROUP BY
      1
  ),
  metrics AS (
    SELECT
      base_metrics.*,
      pop_metrics_year_1__00jq2hag."visits_total_cost__pop__year_1__snapshot" AS "visits_total_cost__pop__year_1__snapshot"
    FROM
      base_metrics
      LEFT JOIN pop_metrics_year_1__00jq2hag ON (
        base_metrics."visits_admitted_year" = pop_metrics_year_1__00jq2hag."visits_admitted_year" + INTERVAL '1 YEAR'
      )
  )
SELECT
  *
FROM
  metrics
ORDER BY
  "visits_admitted_year" DESC
LIMIT
  500;

-- lightdash 16: a pivot
-- from columnOrderingSortQueries: sort by pivot dimension drives column ordering
-- expect aggregate answer
WITH
  original_query AS (
    SELECT
      *
    FROM
      visits
  ),
  group_by_query AS (
    SELECT
      "department",
      "admitted",
      sum("cost") AS "cost_sum"
    FROM
      original_query
    group by
      "department",
      "admitted"
  ),
  pivot_query AS (
    SELECT
      g."admitted",
      g."department",
      g."cost_sum",
      DENSE_RANK() OVER (
        ORDER BY
          g."admitted" ASC
      ) AS "row_index",
      DENSE_RANK() OVER (
        ORDER BY
          g."department" ASC
      ) AS "column_index"
    FROM
      group_by_query g
  ),
  filtered_rows AS (
    SELECT
      *
    FROM
      pivot_query
    WHERE
      "row_index" <= 500
  ),
  total_columns AS (
    SELECT
      COUNT(*) AS total_columns
    FROM
      (
        SELECT DISTINCT
          "department"
        FROM
          filtered_rows
      ) AS distinct_groups
  )
SELECT
  p.*,
  t.total_columns
FROM
  pivot_query p
  CROSS JOIN total_columns t
WHERE
  p."row_index" <= 500
order by
  p."row_index",
  p."column_index";
