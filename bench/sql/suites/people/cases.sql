-- One row a person, many rows a person; what the rewriting of other systems does is in -- rewriting.

-- case: one row each: count
-- The plain one reads the number out of the file's description.
-- goal: 1.2
SELECT count(*) FROM people

-- case: one row each: sum
-- goal: 1.2
SELECT sum(income) FROM people

-- case: one row each: avg
-- goal: 1.2
SELECT avg(income) FROM people

-- case: one row each: count, filter
-- goal: 1.2
SELECT count(*) FROM people WHERE age >= 40

-- case: one row each: sum, filter
-- goal: 1.2
SELECT sum(income) FROM people WHERE age >= 40

-- case: one row each: avg, filter
-- goal: 1.2
SELECT avg(income) FROM people WHERE age BETWEEN 20 AND 29

-- case: one row each: count by 50 keys
-- goal: 1.2
SELECT town, count(*) FROM people GROUP BY town

-- case: one row each: sum by 50 keys
-- goal: 1.2
SELECT town, sum(income) FROM people GROUP BY town

-- case: one row each: avg by 50 keys
-- goal: 1.2
SELECT town, avg(income) FROM people GROUP BY town

-- case: one row each: count, sum, avg by 50 keys, filter
-- goal: 1.2
SELECT town, count(*), sum(income), avg(age) FROM people WHERE age >= 40 GROUP BY town

-- case: one row each: sum of x / 12
-- goal: 5
SELECT sum(income / 12) FROM people

-- case: one row each: sum of x * y
-- goal: 5
SELECT sum(income * age) FROM people

-- case: one row each: sum of a clamped x
-- goal: 5
SELECT sum(least(greatest(income, 0), 50000)) FROM people

-- case: one row each: avg of CASE by 50 keys
-- goal: 5
SELECT town, avg(CASE WHEN age >= 18 THEN income ELSE 0 END) FROM people GROUP BY town

-- case: one row each: median
-- goal: 1.5
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY income) FROM people

-- case: one row each: quartiles of age by 50 keys
-- goal: 1.5
SELECT town, percentile_disc(0.25) WITHIN GROUP (ORDER BY age), percentile_disc(0.75) WITHIN GROUP (ORDER BY age) FROM people GROUP BY town

-- case: one row each: distinct ages
-- goal: 1.5
SELECT count(DISTINCT age) FROM people

-- case: row cap: count
-- The plain one reads the number out of the file's description.
-- goal: 1.5
SELECT count(*) FROM events
-- rewriting
SELECT count(*)
FROM (SELECT *, row_number() OVER (PARTITION BY uid ORDER BY random()) AS n FROM events)
WHERE n <= 20

-- case: row cap: sum
-- goal: 1.5
SELECT sum(amount) FROM events
-- rewriting
SELECT sum(least(greatest(amount, 0), 1000))
FROM (SELECT *, row_number() OVER (PARTITION BY uid ORDER BY random()) AS n FROM events)
WHERE n <= 20

-- case: row cap: sum by 10 keys
-- goal: 1.5
SELECT ten, sum(amount) FROM events GROUP BY ten

-- case: row cap: sum by 100 keys
-- goal: 1.5
SELECT hundred, sum(amount) FROM events GROUP BY hundred
-- rewriting
SELECT hundred, sum(least(greatest(amount, 0), 1000))
FROM (SELECT *, row_number() OVER (PARTITION BY uid ORDER BY random()) AS n FROM events)
WHERE n <= 20 GROUP BY hundred

-- case: row cap: sum by 10,000 keys
-- goal: 1.5
SELECT many, sum(amount) FROM events GROUP BY many

-- case: row cap: sum by 100 private texts
-- goal: 1.5
SELECT shop, sum(amount) FROM events GROUP BY shop

-- case: row cap: distinct values
-- goal: 1.5
SELECT count(DISTINCT many) FROM events

-- case: row cap: people
-- goal: 1.5
SELECT count(DISTINCT uid) FROM events

-- case: row cap: people by 100 keys
-- goal: 1.5
SELECT hundred, count(DISTINCT uid) FROM events GROUP BY hundred

-- case: inside a person: sum, then avg
-- goal: 1.5
SELECT avg(s) FROM (SELECT uid, sum(amount) AS s FROM events GROUP BY uid) q

-- case: inside a person: count, then people by count
-- goal: 1.5
SELECT least(n, 10) AS rows, count(*) FROM (SELECT uid, count(*) AS n FROM events GROUP BY uid) q GROUP BY 1

-- case: inside a person: largest, then avg
-- goal: 1.5
SELECT avg(m) FROM (SELECT uid, max(amount) AS m FROM events WHERE ten <> 3 GROUP BY uid) q

-- case: inside a person: deviation, then avg
-- goal: 3
SELECT avg(least(greatest(s, 0), 500)) FROM (SELECT uid, stddev_pop(amount) AS s FROM events GROUP BY uid) q

-- case: inside a person: the three smallest, by a window
-- goal: 3
SELECT sum(amount) FROM (SELECT uid, amount, row_number() OVER (PARTITION BY uid ORDER BY amount) AS n FROM events) q WHERE n <= 3

-- case: join on the person: count by town
-- goal: 1.5
SELECT town, count(*) FROM people JOIN events ON pid = uid GROUP BY town

-- case: group cap: 10 keys
-- goal: 5
SELECT ten, count(*), sum(amount) FROM purchases GROUP BY ten
-- rewriting
SELECT ten, sum(rows), sum(total)
FROM (SELECT uid, ten, least(count(*), 2) AS rows,
             sum(least(greatest(amount, 0), 1000)) AS total,
             row_number() OVER (PARTITION BY uid ORDER BY random()) AS n
      FROM purchases GROUP BY uid, ten)
WHERE n <= 3 GROUP BY ten

-- case: group cap: 100 keys
-- goal: 5
SELECT hundred, count(*), sum(amount) FROM purchases GROUP BY hundred
-- rewriting
SELECT hundred, sum(rows), sum(total)
FROM (SELECT uid, hundred, least(count(*), 2) AS rows,
             sum(least(greatest(amount, 0), 1000)) AS total,
             row_number() OVER (PARTITION BY uid ORDER BY random()) AS n
      FROM purchases GROUP BY uid, hundred)
WHERE n <= 3 GROUP BY hundred

-- case: group cap: 10,000 keys
-- goal: 5
SELECT many, count(*), sum(amount) FROM purchases GROUP BY many
-- rewriting
SELECT many, sum(rows), sum(total)
FROM (SELECT uid, many, least(count(*), 2) AS rows,
             sum(least(greatest(amount, 0), 1000)) AS total,
             row_number() OVER (PARTITION BY uid ORDER BY random()) AS n
      FROM purchases GROUP BY uid, many)
WHERE n <= 3 GROUP BY many

-- case: group cap: two columns, 1,000 keys
-- goal: 5
SELECT ten, hundred, count(*), sum(amount) FROM purchases GROUP BY ten, hundred
-- rewriting
SELECT ten, hundred, sum(rows), sum(total)
FROM (SELECT uid, ten, hundred, least(count(*), 2) AS rows,
             sum(least(greatest(amount, 0), 1000)) AS total,
             row_number() OVER (PARTITION BY uid ORDER BY random()) AS n
      FROM purchases GROUP BY uid, ten, hundred)
WHERE n <= 3 GROUP BY ten, hundred

-- case: group cap: 100 private texts
-- goal: 5
SELECT shop, count(*), sum(amount) FROM purchases GROUP BY shop
-- rewriting
SELECT shop, sum(rows), sum(total)
FROM (SELECT uid, shop, least(count(*), 2) AS rows,
             sum(least(greatest(amount, 0), 1000)) AS total,
             row_number() OVER (PARTITION BY uid ORDER BY random()) AS n
      FROM purchases GROUP BY uid, shop)
WHERE n <= 3 GROUP BY shop
