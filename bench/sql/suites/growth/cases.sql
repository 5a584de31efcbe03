-- The same questions at three sizes.

-- case: {rows} rows: sum
-- goal: 1.5
SELECT sum(amount) FROM purchases

-- case: {rows} rows: avg, filter
-- goal: 1.5
SELECT avg(amount) FROM purchases WHERE hundred < 20

-- case: {rows} rows: sum of x / 12
-- goal: 5
SELECT sum(amount / 12) FROM purchases

-- case: {rows} rows: people
-- goal: 1.5
SELECT count(DISTINCT uid) FROM purchases

-- case: {rows} rows: group cap, 100 keys
-- goal: 5
SELECT hundred, count(*), sum(amount) FROM purchases GROUP BY hundred
