-- What is asked of each engine, and the plain aggregate beside it. Of capped groups the plain one
-- groups by person and key, which any cap has to do.

-- case: one row each: count, filter
SELECT count(*) FROM people WHERE age >= 40

-- case: one row each: sum of integers by 50 keys
SELECT town, sum(age) FROM people GROUP BY town

-- case: one row each: sum of doubles by 50 keys
SELECT town, sum(weight) FROM people GROUP BY town

-- case: one row each: sum of decimals by 50 keys
SELECT town, sum(income) FROM people GROUP BY town

-- case: row cap: count by 100 keys
SELECT hundred, count(*) FROM events GROUP BY hundred

-- case: row cap: sum of integers by 100 keys
SELECT hundred, sum(days) FROM events GROUP BY hundred

-- case: row cap: sum of doubles by 100 keys
SELECT hundred, sum(amount) FROM events GROUP BY hundred

-- case: group cap: count by 100 keys
SELECT hundred, count(*) FROM purchases GROUP BY hundred
-- plain
SELECT hundred, sum(n) FROM (SELECT uid, hundred, count(*) AS n FROM purchases GROUP BY uid, hundred) AS q GROUP BY hundred

-- case: group cap: sum of doubles by 100 keys
SELECT hundred, sum(amount) FROM purchases GROUP BY hundred
-- plain
SELECT hundred, sum(n) FROM (SELECT uid, hundred, sum(amount) AS n FROM purchases GROUP BY uid, hundred) AS q GROUP BY hundred
