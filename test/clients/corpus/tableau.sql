-- What Tableau sends to PostgreSQL. Recorded: github.com/AdobeDocs/analytics-platform.en,
-- help/use-cases/data-views/bi-extension/sort.md, limits.md and transformations.md (what Tableau Desktop sent
-- to a server that speaks this protocol); github.com/cwida/public_bi_benchmark, benchmark/*/queries-original
-- (what it sent to its own engine, from which charts and names of columns are taken); github.com/cube-js/cube,
-- packages/cubejs-testing (sets). Statements are composed of these forms.

-- tableau 1: a bar of cnt:visits:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  COUNT(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 2: the total of cnt:visits:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT COUNT(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 3: a bar of sum:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 4: the total of sum:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 5: a bar of avg:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  AVG(CAST("visits"."cost" AS DOUBLE PRECISION)) AS "avg:cost:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 6: the total of avg:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT AVG(CAST("visits"."cost" AS DOUBLE PRECISION)) AS "avg:cost:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 7: a bar of sum:days:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."days") AS "sum:days:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 8: the total of sum:days:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT SUM("visits"."days") AS "sum:days:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 9: a bar of avg:days:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  AVG(CAST("visits"."days" AS DOUBLE PRECISION)) AS "avg:days:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 10: the total of avg:days:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT AVG(CAST("visits"."days" AS DOUBLE PRECISION)) AS "avg:days:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 11: a bar of ctd:patient_ssn:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  COUNT(DISTINCT "visits"."patient_ssn") AS "ctd:patient_ssn:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 12: the total of ctd:patient_ssn:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT COUNT(DISTINCT "visits"."patient_ssn") AS "ctd:patient_ssn:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 13: a bar of max:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  MAX("visits"."cost") AS "max:cost:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 14: the total of max:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT MAX("visits"."cost") AS "max:cost:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 15: a bar of min:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  MIN("visits"."cost") AS "min:cost:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 16: the total of min:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT MIN("visits"."cost") AS "min:cost:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 17: a bar of std:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  STDDEV_SAMP("visits"."cost") AS "std:cost:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 18: the total of std:cost:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT STDDEV_SAMP("visits"."cost") AS "std:cost:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 19: a bar of sum:Number of Records:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM(1) AS "sum:Number of Records:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 20: the total of sum:Number of Records:ok
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT SUM(1) AS "sum:Number of Records:ok"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 21: parts of a date: YEAR
-- from the form of bi-extension/sort.md
-- expect aggregate answer
SELECT CAST(TRUNC(EXTRACT(YEAR FROM "visits"."admitted")) AS INTEGER) AS "yr:admitted:ok",
  COUNT(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 22: a date cut to YEAR
-- from the form of bi-extension/sort.md
-- expect aggregate answer
SELECT DATE_TRUNC( 'YEAR', CAST("visits"."admitted" AS TIMESTAMP) ) AS "tyr:admitted:ok",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST;

-- tableau 23: parts of a date: QUARTER
-- from the form of bi-extension/sort.md
-- expect aggregate answer
SELECT CAST(TRUNC(EXTRACT(QUARTER FROM "visits"."admitted")) AS INTEGER) AS "qr:admitted:ok",
  COUNT(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 24: a date cut to QUARTER
-- from the form of bi-extension/sort.md
-- expect aggregate answer
SELECT DATE_TRUNC( 'QUARTER', CAST("visits"."admitted" AS TIMESTAMP) ) AS "tqr:admitted:ok",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST;

-- tableau 25: parts of a date: MONTH
-- from the form of bi-extension/sort.md
-- expect aggregate answer
SELECT CAST(TRUNC(EXTRACT(MONTH FROM "visits"."admitted")) AS INTEGER) AS "mn:admitted:ok",
  COUNT(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 26: a date cut to MONTH
-- from the form of bi-extension/sort.md
-- expect aggregate answer
SELECT DATE_TRUNC( 'MONTH', CAST("visits"."admitted" AS TIMESTAMP) ) AS "tmn:admitted:ok",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST;

-- tableau 27: a day of the week
-- from the form of bi-extension/sort.md
-- expect aggregate answer
SELECT (1 + CAST(EXTRACT(DOW FROM "visits"."admitted") AS INTEGER)) AS "wd:admitted:ok",
  COUNT(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 28: filtered by one value
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE ("visits"."department" = 'Surgery')
GROUP BY 1;

-- tableau 29: filtered by several values
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE ("visits"."department" IN ('Surgery', 'Emergency'))
GROUP BY 1;

-- tableau 30: filtered by all but one
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE (NOT ("visits"."department" IN ('Surgery')))
GROUP BY 1;

-- tableau 31: filtered by a range
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE (("visits"."cost" >= 100) AND ("visits"."cost" <= 5000))
GROUP BY 1;

-- tableau 32: filtered by dates
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE (("visits"."admitted" >= (DATE '2023-01-01')) AND ("visits"."admitted" <= (DATE '2023-12-31')))
GROUP BY 1;

-- tableau 33: filtered by instants
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE ((CAST("visits"."admitted" AS TIMESTAMP) >= (TIMESTAMP '2023-01-01 00:00:00.000')) AND (CAST("visits"."admitted" AS TIMESTAMP) < (TIMESTAMP '2024-01-01 00:00:00.000')))
GROUP BY 1;

-- tableau 34: filtered by a year
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE (CAST(TRUNC(EXTRACT(YEAR FROM "visits"."admitted")) AS INTEGER) = 2023)
GROUP BY 1;

-- tableau 35: filtered by a calculation
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE ((CASE WHEN ("visits"."days" > 7) THEN 'long' ELSE 'short' END) = 'long')
GROUP BY 1;

-- tableau 36: filtered by missing values
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE ("visits"."cost" IS NULL)
GROUP BY 1;

-- tableau 37: filtered by contains
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE (POSITION('urg' IN "visits"."department") > 0)
GROUP BY 1;

-- tableau 38: filtered by a month
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE (DATE_TRUNC( 'MONTH', CAST("visits"."admitted" AS TIMESTAMP) ) = (TIMESTAMP '2023-05-01 00:00:00.000'))
GROUP BY 1;

-- tableau 39: two dimensions
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("patients"."sex" AS TEXT) AS "sex",
  "patients"."zipcode" AS "zipcode",
  AVG(CAST("patients"."age" AS DOUBLE PRECISION)) AS "avg:age:ok"
FROM "public"."patients" "patients"
GROUP BY 1,
  2;

-- tableau 40: a group of values
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT (CASE WHEN ("visits"."department" IN ('Surgery', 'Emergency')) THEN 'acute' ELSE 'other' END) AS "department (group)",
  COUNT(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
GROUP BY 1;

-- tableau 41: bins
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT FLOOR(CAST("patients"."age" AS DOUBLE PRECISION) / 10) AS "age (bin)",
  COUNT(1) AS "cnt:patients:ok"
FROM "public"."patients" "patients"
GROUP BY 1;

-- tableau 42: joined tables
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("patients"."sex" AS TEXT) AS "sex",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
  INNER JOIN "public"."patients" "patients" ON ("visits"."patient_ssn" = "patients"."ssn")
GROUP BY 1;

-- tableau 43: the largest ten
-- from the form of bi-extension/sort.md
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
  INNER JOIN (
  SELECT CAST("visits"."department" AS TEXT) AS "department",
    SUM("visits"."cost") AS "$__alias__0"
  FROM "public"."visits" "visits"
  GROUP BY 1
  ORDER BY 2 DESC,
    1 ASC
  LIMIT 5
) "t0" ON (CAST("visits"."department" AS TEXT) = "t0"."department")
WHERE (("visits"."admitted" >= (TIMESTAMP '2023-01-01 00:00:00.000')) AND ("visits"."admitted" < (TIMESTAMP '2024-01-01 00:00:00.000')))
GROUP BY 1;

-- tableau 44: a ratio of totals
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  (SUM("visits"."cost") / NULLIF(COUNT(1), 0)) AS "usr:Calculation_1:ok"
FROM "public"."visits" "visits"
GROUP BY 1
HAVING (COUNT(1) > 100);

-- tableau 45: the range of a number
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT MIN("visits"."cost") AS "TEMP(none:cost:qk lower)(1)(1)",
  MAX("visits"."cost") AS "TEMP(none:cost:qk upper)(1)(1)"
FROM "public"."visits" "visits"
HAVING (COUNT(1) > 0);

-- tableau 46: the values of a filter
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department"
FROM "public"."visits" "visits"
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST;

-- tableau 47: a custom query
-- from public_bi_benchmark, queries
-- expect aggregate answer
SELECT SUM("Custom SQL Query"."n") AS "sum:n:ok"
FROM (
  SELECT department, count(*) AS n FROM visits GROUP BY department
) "Custom SQL Query"
HAVING (COUNT(1) > 0);

-- tableau 48: underlying rows
-- from public_bi_benchmark, queries
-- expect rows refuse 42501
SELECT "visits"."cost" AS "cost",
  CAST("visits"."department" AS TEXT) AS "department"
FROM "public"."visits" "visits"
LIMIT 10000;

-- tableau 49: is it there?
-- from the form of bi-extension/sort.md
-- expect session answer
SELECT 1;

-- tableau 50: three sums between two days
-- from bi-extension/sort.md
-- expect aggregate answer
SELECT CAST("visits"."department" AS TEXT) AS "department",
  SUM("visits"."days") AS "sum:days:ok",
  SUM("visits"."cost") AS "sum:cost:ok"
FROM "public"."visits" "visits"
WHERE (("visits"."admitted" >= (DATE '2023-01-01')) AND ("visits"."admitted" <= (DATE '2023-02-01')))
GROUP BY 1;

-- tableau 51: a calculated field, and a range of a sum
-- from bi-extension/transformations.md
-- expect aggregate answer
SELECT LOWER(CAST(CAST("visits"."department" AS TEXT) AS TEXT)) AS "Calculation_1562467608097775616",
  SUM("visits"."cost") AS "sum:cost:ok",
  SUM("visits"."days") AS "sum:days:ok"
FROM "public"."visits" "visits"
WHERE (("visits"."admitted" >= (DATE '2023-01-01')) AND ("visits"."admitted" <= (DATE '2023-12-31')))
GROUP BY 1
HAVING ((SUM("visits"."cost") >= 999.99999998999) AND (SUM("visits"."cost") <= 2000000.00000002));

-- tableau 52: a set of the largest groups: in or out
-- from cube-js/cube, packages/cubejs-testing
-- expect aggregate refuse 42501
SELECT (NOT ("t0"."$temp1_output" IS NULL)) AS "result",
  COUNT(1) AS "cnt:visits:ok"
FROM "public"."visits" "visits"
  LEFT JOIN (
  SELECT CAST("visits"."department" AS TEXT) AS "department",
    1 AS "$temp1_output",
    SUM("visits"."cost") AS "$__alias__0"
  FROM "public"."visits" "visits"
  GROUP BY 1
  ORDER BY 3 DESC NULLS LAST,
    1 ASC NULLS FIRST
  LIMIT 3
) "t0" ON (CAST("visits"."department" AS TEXT) IS NOT DISTINCT FROM "t0"."department")
GROUP BY 1;
