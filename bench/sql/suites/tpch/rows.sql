CREATE TABLE customer AS FROM read_parquet('{source}/customer.parquet');
CREATE TABLE orders AS FROM read_parquet('{source}/orders.parquet');
CREATE TABLE lineitem AS
SELECT l.*, o_custkey AS l_custkey
FROM read_parquet('{source}/lineitem.parquet') l JOIN orders ON l_orderkey = o_orderkey;
CREATE TABLE part AS FROM read_parquet('{source}/part.parquet');
CREATE TABLE supplier AS FROM read_parquet('{source}/supplier.parquet');
CREATE TABLE nation AS FROM read_parquet('{source}/nation.parquet');
CREATE TABLE region AS FROM read_parquet('{source}/region.parquet');
