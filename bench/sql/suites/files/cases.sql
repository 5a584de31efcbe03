-- Parquet files, eight a table: plain DuckDB and Tacit read the same ones.

-- case: count
SELECT count(*) FROM people

-- case: count, filter on an integer
SELECT count(*) FROM people WHERE age < 20

-- case: count, filter on a date that few row groups hold
SELECT count(*) FROM people WHERE joined >= DATE '2022-09-01'

-- case: avg of a real column
SELECT avg(income) FROM people

-- case: sum by 20 public keys
SELECT region, count(*), sum(income) FROM people GROUP BY region

-- case: row cap: sum
SELECT sum(amount) FROM purchases

-- case: row cap: sum by 100 public keys
SELECT hundred, count(*), sum(amount) FROM purchases GROUP BY hundred
