-- What dbt's semantic layer sends by MetricFlow. Its source: github.com/dbt-labs/metricflow, the snapshots of
-- tests_metricflow/snapshots/*/SqlPlan/Postgres (*_optimized.sql), which hold what it writes; tables and columns
-- are put in their places. The sample clinic has no table of days, which MetricFlow wants: where it joins one,
-- generate_series stands for it.

-- metricflow 1: a metric by day
-- from test_derived_metric_rendering: the inner query of every metric
-- expect aggregate answer
SELECT
  metric_time__day
  , SUM(visits) AS visits
FROM (
  SELECT
    DATE_TRUNC('day', admitted) AS metric_time__day
    , 1 AS visits
  FROM public.visits visits_source_src_28000
) subq_2
GROUP BY
  metric_time__day;

-- metricflow 2: a nested derived metric
-- from test_nested_derived_metric
-- expect aggregate answer
SELECT
  metric_time__month
  , non_surgery + (surgery * 1.0 / visits) AS surgery_plus_non_surgery_pct
FROM (
  SELECT
    COALESCE(subq_22.metric_time__month, subq_27.metric_time__month) AS metric_time__month
    , MAX(subq_22.non_surgery) AS non_surgery
    , MAX(subq_27.surgery) AS surgery
    , MAX(subq_27.visits) AS visits
  FROM (
    SELECT
      metric_time__month
      , (visits - ref_visits) * 1.0 / visits AS non_surgery
    FROM (
      SELECT
        metric_time__month
        , SUM(referred_visits) AS ref_visits
        , SUM(visits) AS visits
      FROM (
        SELECT
          DATE_TRUNC('month', admitted) AS metric_time__month
          , 1 AS visits
          , CASE WHEN department IS NOT NULL THEN 1 ELSE 0 END AS referred_visits
        FROM public.visits visits_source_src_28000
      ) subq_19
      GROUP BY
        metric_time__month
    ) subq_21
  ) subq_22
  FULL OUTER JOIN (
    SELECT
      metric_time__month
      , SUM(instant_visits) AS surgery
      , SUM(visits) AS visits
    FROM (
      SELECT
        DATE_TRUNC('month', admitted) AS metric_time__month
        , 1 AS visits
        , CASE WHEN department = 'Surgery' THEN 1 ELSE 0 END AS instant_visits
      FROM public.visits visits_source_src_28000
    ) subq_25
    GROUP BY
      metric_time__month
  ) subq_27
  ON
    subq_22.metric_time__month = subq_27.metric_time__month
  GROUP BY
    COALESCE(subq_22.metric_time__month, subq_27.metric_time__month)
) subq_28;

-- metricflow 3: two metrics, missing values filled
-- from test_multi_metric_fill_null
-- expect aggregate answer
SELECT
  COALESCE(subq_17.metric_time__month, subq_22.metric_time__month) AS metric_time__month
  , MAX(subq_17.twice_visits_fill_nulls_with_0) AS twice_visits_fill_nulls_with_0
  , MAX(subq_22.cost) AS cost
FROM (
  SELECT
    metric_time__month
    , 2 * visits_fill_nulls_with_0 AS twice_visits_fill_nulls_with_0
  FROM (
    SELECT
      metric_time__month
      , COALESCE(visits_fill_nulls_with_0, 0) AS visits_fill_nulls_with_0
    FROM (
      SELECT
        metric_time__month
        , SUM(visits_fill_nulls_with_0) AS visits_fill_nulls_with_0
      FROM (
        SELECT
          DATE_TRUNC('month', admitted) AS metric_time__month
          , 1 AS visits_fill_nulls_with_0
        FROM public.visits visits_source_src_28000
      ) subq_14
      GROUP BY
        metric_time__month
    ) subq_15
  ) subq_16
) subq_17
FULL OUTER JOIN (
  SELECT
    metric_time__month
    , SUM(cost) AS cost
  FROM (
    SELECT
      DATE_TRUNC('month', admitted) AS metric_time__month
      , cost
    FROM public.visits visits_source_src_28000
  ) subq_20
  GROUP BY
    metric_time__month
) subq_22
ON
  subq_17.metric_time__month = subq_22.metric_time__month
GROUP BY
  COALESCE(subq_17.metric_time__month, subq_22.metric_time__month);

-- metricflow 4: a metric beside itself two weeks before
-- from test_derived_metric_with_offset_window
-- expect aggregate answer
WITH sma_28009_cte AS (
  SELECT
    DATE_TRUNC('day', admitted) AS metric_time__day
    , 1 AS visits
  FROM public.visits visits_source_src_28000
)
SELECT
  metric_time__day AS metric_time__day
  , visits - visits_2_weeks_ago AS visits_growth_2_weeks
FROM (
  SELECT
    COALESCE(subq_19.metric_time__day, subq_27.metric_time__day) AS metric_time__day
    , MAX(subq_19.visits) AS visits
    , MAX(subq_27.visits_2_weeks_ago) AS visits_2_weeks_ago
  FROM (
    SELECT
      metric_time__day
      , SUM(visits) AS visits
    FROM sma_28009_cte
    GROUP BY
      metric_time__day
  ) subq_19
  FULL OUTER JOIN (
    SELECT
      time_spine_src_28006.ds AS metric_time__day
      , SUM(sma_28009_cte.visits) AS visits_2_weeks_ago
    FROM (SELECT ds FROM generate_series(DATE '2023-01-01', DATE '2023-12-31', INTERVAL '1 day') ds) time_spine_src_28006
    INNER JOIN
      sma_28009_cte
    ON
      time_spine_src_28006.ds - MAKE_INTERVAL(days => 14) = sma_28009_cte.metric_time__day
    GROUP BY
      time_spine_src_28006.ds
  ) subq_27
  ON
    subq_19.metric_time__day = subq_27.metric_time__day
  GROUP BY
    COALESCE(subq_19.metric_time__day, subq_27.metric_time__day)
) subq_28;

-- metricflow 5: a metric by a joined dimension
-- from test_nested_filters: joins of dimensions
-- expect aggregate answer
SELECT
  listing__sex
  , SUM(visits) AS visits
FROM (
  SELECT
    patients_src_28000.sex AS listing__sex
    , subq_15.visits AS visits
  FROM (
    SELECT
      patient_ssn AS listing
      , 1 AS visits
    FROM public.visits visits_source_src_28000
  ) subq_15
  LEFT OUTER JOIN
    public.patients patients_src_28000
  ON
    subq_15.listing = patients_src_28000.ssn
) subq_18
WHERE listing__sex = 'F'
GROUP BY
  listing__sex;

-- metricflow 6: a ratio
-- from test_metrics: a ratio metric
-- expect aggregate answer
SELECT
  metric_time__month
  , CAST(cost AS DOUBLE PRECISION) / CAST(NULLIF(visitors, 0) AS DOUBLE PRECISION) AS cost_per_visitor
FROM (
  SELECT
    DATE_TRUNC('month', admitted) AS metric_time__month
    , SUM(cost) AS cost
    , COUNT(DISTINCT patient_ssn) AS visitors
  FROM public.visits visits_source_src_28000
  GROUP BY
    DATE_TRUNC('month', admitted)
) subq_7;

-- metricflow 7: a percentile by a part of the date
-- from test_metrics: percentile, and test_granularity_date_part: a date part
-- expect aggregate answer
SELECT
  metric_time__extract_quarter
  , PERCENTILE_CONT(0.99) WITHIN GROUP (ORDER BY (cost)) AS cost_p99
FROM (
  SELECT
    EXTRACT(quarter FROM admitted) AS metric_time__extract_quarter
    , cost
  FROM public.visits visits_source_src_28000
) subq_2
GROUP BY
  metric_time__extract_quarter;

-- metricflow 8: a range of time
-- from test_time_offset_metric_with_time_constraint
-- expect aggregate answer
SELECT
  metric_time__day
  , SUM(visits) AS visits
FROM (
  SELECT
    DATE_TRUNC('day', admitted) AS metric_time__day
    , 1 AS visits
  FROM public.visits visits_source_src_28000
  WHERE DATE_TRUNC('day', admitted) BETWEEN '2023-01-01' AND '2023-06-30'
) subq_3
GROUP BY
  metric_time__day;
