-- What R's dplyr sends to PostgreSQL. Its sources: github.com/tidyverse/dbplyr, R/backend-postgres.R (functions and
-- aggregates), tests/testthat/_snaps (joins, summaries, windows); statements are composed of these forms.

-- dbplyr 1: count of a column's values
-- from verb-count
-- expect aggregate answer
SELECT "department", COUNT(*) AS "n"
FROM "visits"
GROUP BY "department";

-- dbplyr 2: a summary of a filtered table
-- from verb-summarise; backend-postgres.R: sd
-- expect aggregate answer
SELECT "department", AVG("cost") AS "cost", STDDEV_SAMP("cost") AS "sd"
FROM "visits"
WHERE ("days" > 3.0)
GROUP BY "department";

-- dbplyr 3: the median
-- from backend-.R: median
-- expect aggregate answer
SELECT
  "sex",
  PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY "income") AS "median",
  COUNT(DISTINCT "disease") AS "diseases"
FROM "patients"
GROUP BY "sex";

-- dbplyr 4: correlation
-- from backend-postgres.R: cor, cov
-- expect aggregate answer
SELECT CORR("days", "cost") AS "y", COVAR_SAMP("days", "cost") AS "z"
FROM "visits";

-- dbplyr 5: a join, then a count
-- from verb-joins: left_join
-- expect aggregate answer
SELECT "sex", COUNT(*) AS "n"
FROM (
  SELECT "LHS".*, "sex"
  FROM "visits" AS "LHS"
  LEFT JOIN "patients" AS "RHS"
    ON ("LHS"."patient_ssn" = "RHS"."ssn")
) AS "q01"
GROUP BY "sex";

-- dbplyr 6: those who have a match
-- from verb-joins: semi_join
-- expect aggregate answer
SELECT "department", COUNT(*) AS "n"
FROM (
  SELECT "LHS".*
  FROM "visits" AS "LHS"
  WHERE EXISTS (
    SELECT 1 FROM "patients" AS "RHS"
    WHERE ("LHS"."patient_ssn" = "RHS"."ssn") AND ("RHS"."disease" = 'Flu')
  )
) AS "q01"
GROUP BY "department";

-- dbplyr 7: months
-- from backend-postgres.R: floor_date
-- expect aggregate answer
SELECT "month", SUM("cost") AS "cost"
FROM (
  SELECT "visits".*, DATE_TRUNC('month', "admitted") AS "month"
  FROM "visits"
) AS "q01"
GROUP BY "month"
ORDER BY "month";

-- dbplyr 8: days of the week
-- from backend-postgres.R: wday
-- expect aggregate answer
SELECT "wday", COUNT(*) AS "n"
FROM (
  SELECT "visits".*, EXTRACT("dow" FROM DATE("admitted") + 0) + 1 AS "wday"
  FROM "visits"
) AS "q01"
GROUP BY "wday";

-- dbplyr 9: weeks of the year
-- from backend-postgres.R: week
-- expect aggregate answer
SELECT "week", COUNT(*) AS "n"
FROM (
  SELECT "visits".*, FLOOR((EXTRACT(DOY FROM "admitted") - 1) / 7) + 1 AS "week"
  FROM "visits"
) AS "q01"
GROUP BY "week";

-- dbplyr 10: quarters with their year
-- from backend-postgres.R: quarter(with_year)
-- expect aggregate answer
SELECT "q", COUNT(*) AS "n"
FROM (
  SELECT
    "visits".*,
    (EXTRACT(YEAR FROM "admitted") || '.' || EXTRACT(QUARTER FROM "admitted")) AS "q"
  FROM "visits"
) AS "q01"
GROUP BY "q";

-- dbplyr 11: names of days
-- from backend-postgres.R: wday(label)
-- expect aggregate answer
SELECT SUBSTR(TO_CHAR("admitted", 'Day'), 1, 3) AS "day", COUNT(*) AS "n"
FROM "visits"
GROUP BY SUBSTR(TO_CHAR("admitted", 'Day'), 1, 3);

-- dbplyr 12: days after
-- from backend-postgres.R: add_days, days
-- expect aggregate answer
SELECT COUNT(*) AS "n"
FROM "visits"
WHERE (("admitted" + 7.0*INTERVAL'1 day') > '2024-01-01') AND ("admitted" + CAST('30 days' AS INTERVAL) < '2024-12-31');

-- dbplyr 13: if_else
-- from base_scalar: if_else
-- expect aggregate answer
SELECT "group", COUNT(*) AS "n", ROUND((AVG("income")) :: numeric, 1) AS "income"
FROM (
  SELECT "patients".*, CASE WHEN ("age" < 18.0) THEN 'child' WHEN NOT ("age" < 18.0) THEN 'adult' END AS "group"
  FROM "patients"
) AS "q01"
GROUP BY "group";

-- dbplyr 14: a pattern
-- from backend-postgres.R: str_detect, grepl
-- expect aggregate answer
SELECT COUNT(*) AS "n"
FROM "visits"
WHERE ("department" ~ '^S') OR (("department") ~* ('med'));

-- dbplyr 15: the largest of a summary
-- from verb-slice: slice_max
-- expect aggregate answer
SELECT "department", "n"
FROM (
  SELECT "q01".*, RANK() OVER (ORDER BY "n" DESC) AS "col01"
  FROM (
    SELECT "department", COUNT(*) AS "n"
    FROM "visits"
    GROUP BY "department"
  ) AS "q01"
) AS "q01"
WHERE ("col01" <= 3);

-- dbplyr 16: whether all are
-- from backend-postgres.R: all
-- expect aggregate refuse 0A000
SELECT BOOL_AND("days" > 3.0) AS "all_long"
FROM "visits";

-- dbplyr 17: the first rows
-- from tbl: print
-- expect rows refuse 42501
SELECT *
FROM "visits"
LIMIT 11;

-- dbplyr 18: a column beside its group's average
-- from verb-mutate: a window
-- expect rows refuse 42501
SELECT "visits".*, AVG("cost") OVER (PARTITION BY "department") AS "mean"
FROM "visits";

-- dbplyr 19: the shape of a table
-- from backend-postgres.R: db_col_types
-- expect session answer
SELECT * FROM "visits" LIMIT 0;

-- dbplyr 20: the shape of a query
-- from db-sql.R: sql_query_fields
-- expect session answer
SELECT *
FROM "visits" AS "q01"
WHERE (0 = 1);
