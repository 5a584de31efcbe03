// node-postgres against tacit serve: node node_test.js PORT CERTIFICATE
const assert = require('assert');
const fs = require('fs');
const pg = require('pg');
const Cursor = require('pg-cursor');

async function pooled(settings) {
  const pool = new pg.Pool({...settings, max: 4});
  const sql = 'SELECT count(*) AS n FROM people WHERE age > $1';
  const results = await Promise.all([...Array(20)].map(() => pool.query(sql, [47])));
  assert.strictEqual(new Set(results.map((result) => result.rows[0].n)).size, 1, 'one question, one answer');
  await pool.end();
}

async function main(port, certificate) {
  const settings = {
    host: 'localhost', port: Number(port), user: 'ana', password: process.env.PGPASSWORD, database: 'clinic',
    ssl: {ca: fs.readFileSync(certificate), servername: 'localhost'}, enableChannelBinding: true,
  };
  await pooled(settings);
  const client = new pg.Client(settings);
  const notices = [];
  client.on('notice', (notice) => notices.push(notice.message));
  await client.connect();
  const sql = 'SELECT count(*) AS n FROM people WHERE age > $1';
  const first = (await client.query(sql, [52])).rows[0].n;
  assert.match(notices[0], /^cost /);
  assert.strictEqual((await client.query('SELECT count(*) AS n FROM people WHERE age > 52')).rows[0].n, first);
  assert.strictEqual((await client.query({name: 'named', text: sql, values: ['52']})).rows[0].n, first);
  assert.strictEqual((await client.query({name: 'named', text: sql, values: ['52']})).rows[0].n, first);
  const binary = await client.query({text: 'SELECT avg(age) AS a FROM people', binary: true});
  assert.strictEqual(typeof binary.rows[0].a, 'number');
  await assert.rejects(client.query('SELECT age FROM people'), {code: '42501'});
  await assert.rejects(client.query('SELECT count(*) FROM nowhere WHERE a = $1', [1]), {code: '42P01'});
  const several = await client.query('BEGIN; SELECT count(*) FROM people WHERE age > 52; COMMIT');
  assert.deepStrictEqual(several.map((result) => result.command), ['BEGIN', 'SELECT', 'COMMIT']);
  const quartiles = 'SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY age) AS q FROM people';
  const array = (await client.query(quartiles)).rows[0].q;
  assert.strictEqual(array.length, 3, 'an array is an array');
  // A named portal that is read in pieces, with Flush instead of Sync in between.
  const cursor = client.query(new Cursor('SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex'));
  assert.deepStrictEqual((await cursor.read(2)).map((row) => row.sex), ['F', 'M']);
  assert.deepStrictEqual((await cursor.read(2)).map((row) => row.sex), ['X']);
  await cursor.close();
  await client.end();
}

main(process.argv[2], process.argv[3]).catch((error) => {
  console.error(error);
  process.exit(1);
});
