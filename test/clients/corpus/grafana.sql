-- What Grafana's PostgreSQL data source sends: its macros as they are expanded, and its query builder.
-- Its sources: github.com/grafana/grafana, pkg/tsdb/grafana-postgresql-datasource/macros.go (seconds are
-- printed by Go's %v, so that thirty days are 2.592e+06) and, for the builder, toRawSql in
-- public/app/plugins/datasource/grafana-postgresql-datasource/sqlUtil.ts.

-- grafana 1: count(*) by $__timeGroup 1d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/86400)*86400 AS "time",
  count(*) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 2: sum(cost) by $__timeGroup 1d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/86400)*86400 AS "time",
  sum(cost) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 3: avg(cost) by $__timeGroup 1d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/86400)*86400 AS "time",
  avg(cost) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 4: count(*) by $__timeGroup 7d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/604800)*604800 AS "time",
  count(*) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 5: sum(cost) by $__timeGroup 7d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/604800)*604800 AS "time",
  sum(cost) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 6: avg(cost) by $__timeGroup 7d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/604800)*604800 AS "time",
  avg(cost) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 7: count(*) by $__timeGroup 30d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/2.592e+06)*2.592e+06 AS "time",
  count(*) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 8: sum(cost) by $__timeGroup 30d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/2.592e+06)*2.592e+06 AS "time",
  sum(cost) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 9: avg(cost) by $__timeGroup 30d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/2.592e+06)*2.592e+06 AS "time",
  avg(cost) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 10: count(*) by $__timeGroup 365d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/3.1536e+07)*3.1536e+07 AS "time",
  count(*) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 11: sum(cost) by $__timeGroup 365d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/3.1536e+07)*3.1536e+07 AS "time",
  sum(cost) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 12: avg(cost) by $__timeGroup 365d
-- from macros.go: __timeGroup, __timeFilter
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/3.1536e+07)*3.1536e+07 AS "time",
  avg(cost) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1
ORDER BY 1;

-- grafana 13: series by a column
-- from macros.go: __timeGroupAlias
-- expect aggregate answer
SELECT
  floor(extract(epoch from admitted)/2.592e+06)*2.592e+06 AS "time",
  department AS metric,
  count(*) AS value
FROM visits
WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z'
GROUP BY 1, department
ORDER BY 1, 2;

-- grafana 14: a stat panel
-- from macros.go: __timeFilter
-- expect aggregate answer
SELECT count(*) FROM visits WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z';

-- grafana 15: a range in seconds since 1970
-- from macros.go: __unixEpochFilter
-- expect aggregate answer
SELECT avg(cost) FROM visits WHERE extract(epoch from admitted) >= 1672531200 AND extract(epoch from admitted) <= 1704067199;

-- grafana 16: the bounds of the dashboard
-- from macros.go: __timeFrom, __timeTo
-- expect aggregate answer
SELECT count(*) FROM visits WHERE admitted >= '2023-01-01T00:00:00Z' AND admitted < '2024-01-01T00:00:00Z';

-- grafana 17: groups of seconds
-- from macros.go: __unixEpochGroup
-- expect aggregate answer
SELECT floor((extract(epoch from admitted))/3.1536e+07)*3.1536e+07 AS "time", count(*) FROM visits GROUP BY 1 ORDER BY 1;

-- grafana 18: months by date_trunc
-- from documentation: query editor
-- expect aggregate answer
SELECT date_trunc('month', admitted) AS "time", department, sum(cost) AS cost FROM visits WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z' GROUP BY 1, 2 ORDER BY 1;

-- grafana 19: the builder: AVG
-- from sqlUtil.ts: toRawSql
-- expect aggregate answer
SELECT AVG(cost) AS "avg", department FROM visits GROUP BY department LIMIT 50;

-- grafana 20: the builder: SUM
-- from sqlUtil.ts: toRawSql
-- expect aggregate answer
SELECT SUM(cost) AS "sum", department FROM visits GROUP BY department LIMIT 50;

-- grafana 21: the builder: COUNT
-- from sqlUtil.ts: toRawSql
-- expect aggregate answer
SELECT COUNT(cost) AS "count", department FROM visits GROUP BY department LIMIT 50;

-- grafana 22: the builder: MAX
-- from sqlUtil.ts: toRawSql
-- expect aggregate answer
SELECT MAX(cost) AS "max", department FROM visits GROUP BY department LIMIT 50;

-- grafana 23: the builder: MIN
-- from sqlUtil.ts: toRawSql
-- expect aggregate answer
SELECT MIN(cost) AS "min", department FROM visits GROUP BY department LIMIT 50;

-- grafana 24: the builder: a filter
-- from sqlUtil.ts: toRawSql
-- expect aggregate answer
SELECT COUNT(cost), department FROM visits WHERE (department = 'Surgery' OR department LIKE 'E%') GROUP BY department ORDER BY COUNT(cost) DESC LIMIT 50;

-- grafana 25: a gauge of a share
-- from documentation: gauge
-- expect aggregate answer
SELECT 100.0 * count(*) FILTER (WHERE disease = 'Flu') / count(*) AS "flu %" FROM patients;

-- grafana 26: a variable of several values
-- from documentation: template variables
-- expect aggregate answer
SELECT date_trunc('month', admitted) AS "time", count(*) FROM visits WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z' AND department IN ('Surgery','Emergency') GROUP BY 1 ORDER BY 1;

-- grafana 27: a regular expression variable
-- from documentation: template variables
-- expect aggregate answer
SELECT department, count(*) FROM visits WHERE department ~ '^(Surgery|Emergency)$' GROUP BY department;

-- grafana 28: a variable by a pattern, either case
-- from documentation: template variables
-- expect aggregate answer
SELECT count(*) FROM visits WHERE department ~* 'med|surg';

-- grafana 29: the last day of now
-- from documentation: relative ranges in SQL
-- expect aggregate answer
SELECT count(*) FROM visits WHERE admitted > NOW() - INTERVAL '1 year';

-- grafana 30: the values of a variable
-- from documentation: query variable
-- expect aggregate answer
SELECT DISTINCT department FROM visits ORDER BY 1;

-- grafana 31: bins
-- from documentation: histogram from SQL
-- expect aggregate answer
SELECT width_bucket(age, 0, 120, 12) AS bucket, count(*) FROM patients GROUP BY 1 ORDER BY 1;

-- grafana 32: quartiles
-- from documentation: table panel
-- expect aggregate answer
SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost), percentile_cont(0.75) WITHIN GROUP (ORDER BY cost) FROM visits;

-- grafana 33: buckets of time by date_bin
-- from documentation: macros of PostgreSQL 14
-- expect aggregate answer
SELECT date_bin('30 days', admitted::timestamp, TIMESTAMP '2023-01-01') AS "time", count(*) FROM visits WHERE admitted >= '2023-01-01' GROUP BY 1 ORDER BY 1;

-- grafana 34: raw points
-- from macros.go: __time
-- expect rows refuse 42501
SELECT admitted AS "time", cost AS value FROM visits WHERE admitted BETWEEN '2023-01-01T00:00:00Z' AND '2023-12-31T23:59:59.999Z' ORDER BY 1;

-- grafana 35: a table of rows
-- from documentation: table panel
-- expect rows refuse 42501
SELECT * FROM visits LIMIT 50;

-- grafana 36: is it there?
-- from handler_checkhealth.go
-- expect session answer
SELECT 1;
