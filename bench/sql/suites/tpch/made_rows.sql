-- Tables of TPC-H's shape, where its own generator cannot be had: {rows} orders, a tenth as many
-- customers (a third of them without orders), one to seven lines an order.
CREATE TABLE region AS
FROM (VALUES (0, 'AFRICA'), (1, 'AMERICA'), (2, 'ASIA'), (3, 'EUROPE'), (4, 'MIDDLE EAST'))
     t(r_regionkey, r_name);
CREATE TABLE nation AS
SELECT CAST(i AS INTEGER) AS n_nationkey, 'NATION ' || i AS n_name,
       CAST(i % 5 AS INTEGER) AS n_regionkey FROM range(25) t(i);
CREATE TABLE supplier AS
SELECT i + 1 AS s_suppkey, CAST(hash(i) % 25 AS INTEGER) AS s_nationkey
FROM range({rows} // 150) t(i);
CREATE TABLE part AS
SELECT i + 1 AS p_partkey, 'Brand#' || (1 + hash(i) % 5) || (1 + hash(i + 1) % 5) AS p_brand,
       ['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO'][CAST(1 + hash(i + 2) % 6 AS BIGINT)] ||
       [' ANODIZED', ' BURNISHED', ' PLATED', ' POLISHED', ' BRUSHED'][CAST(1 + hash(i + 3) % 5 AS BIGINT)] AS p_type,
       CAST(1 + hash(i + 4) % 50 AS INTEGER) AS p_size,
       ['SM', 'MED', 'LG', 'JUMBO', 'WRAP'][CAST(1 + hash(i + 5) % 5 AS BIGINT)] || ' ' ||
       ['CASE', 'BOX', 'BAG', 'JAR', 'PKG', 'PACK', 'CAN', 'DRUM'][CAST(1 + hash(i + 6) % 8 AS BIGINT)] AS p_container
FROM range({rows} * 2 // 15) t(i);
CREATE TABLE customer AS
SELECT i + 1 AS c_custkey, CAST(hash(i) % 25 AS INTEGER) AS c_nationkey FROM range({units}) t(i);
CREATE TABLE orders AS
SELECT i + 1 AS o_orderkey, CAST(3 * (hash(i) % ({units} // 3)) + 1 + hash(i + 1) % 2 AS BIGINT) AS o_custkey,
       DATE '1992-01-01' + CAST(hash(i + 2) % 2406 AS INTEGER) AS o_orderdate,
       CAST(hash(i + 3) % 50000000 AS DECIMAL(15, 2)) / 100 AS o_totalprice
FROM range({rows}) t(i);
CREATE TABLE lineitem AS
SELECT o_orderkey AS l_orderkey, CAST(1 + hash(o_orderkey, n) % ({rows} * 2 // 15) AS BIGINT) AS l_partkey,
       CAST(1 + hash(o_orderkey, n, 1) % ({rows} // 150) AS BIGINT) AS l_suppkey,
       CAST(1 + hash(o_orderkey, n, 2) % 50 AS DECIMAL(15, 2)) AS l_quantity,
       CAST(90000 + hash(o_orderkey, n, 3) % 10400000 AS DECIMAL(17, 2)) * 0.01 AS l_extendedprice,
       CAST(CAST(hash(o_orderkey, n, 4) % 11 AS DECIMAL(15, 2)) * 0.01 AS DECIMAL(15, 2)) AS l_discount,
       CAST(CAST(hash(o_orderkey, n, 5) % 9 AS DECIMAL(15, 2)) * 0.01 AS DECIMAL(15, 2)) AS l_tax,
       ['A', 'N', 'R'][CAST(1 + hash(o_orderkey, n, 6) % 3 AS BIGINT)] AS l_returnflag,
       CASE WHEN o_orderdate < DATE '1995-06-17' THEN 'F' ELSE 'O' END AS l_linestatus,
       o_orderdate + CAST(1 + hash(o_orderkey, n, 7) % 121 AS INTEGER) AS l_shipdate,
       ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'][CAST(1 + hash(o_orderkey, n, 8) % 4 AS BIGINT)] AS l_shipinstruct,
       ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'][CAST(1 + hash(o_orderkey, n, 9) % 7 AS BIGINT)] AS l_shipmode,
       o_custkey AS l_custkey
FROM orders, range(7) t(n) WHERE n <= hash(o_orderkey) % 7;
