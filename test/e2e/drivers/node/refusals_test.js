// Node clients that read each reply before they send Sync, when the gateway refuses:
// node refusals_test.js PORT CERTIFICATE
const assert = require('assert');
const fs = require('fs');
const pg = require('pg');
const Cursor = require('pg-cursor');
const QueryStream = require('pg-query-stream');
const postgres = require('postgres');

const REFUSED = 'SELECT age FROM people WHERE age > $1';
const SEXES = 'SELECT sex, count(*) AS n FROM people GROUP BY sex ORDER BY sex';

async function nodePostgres(settings) {
  const client = new pg.Client(settings);
  await client.connect();
  const cursor = client.query(new Cursor(REFUSED, [1]));
  await assert.rejects(cursor.read(1), {code: '42501'});
  await assert.rejects(async () => {
    for await (const row of client.query(new QueryStream(REFUSED, [1]))) assert.fail(row);
  }, {code: '42501'});
  const sexes = [];
  for await (const row of client.query(new QueryStream(SEXES, [], {batchSize: 2}))) sexes.push(row.sex);
  assert.deepStrictEqual(sexes, ['F', 'M', 'X']);
  await client.end();
}

async function postgresJs(settings) {
  const sql = postgres({...settings, onnotice: () => {}, max: 2});
  await assert.rejects(sql`SELECT age FROM people WHERE age > ${1}`, {code: '42501'});
  await assert.rejects(sql.unsafe('SELECT age FROM people'), {code: '42501'});
  await assert.rejects(sql`SELECT count(*) FROM nowhere WHERE a = ${1}`, {code: '42P01'});
  const asked = () => sql`SELECT count(*) AS n FROM people WHERE age > ${44}`;
  assert.strictEqual((await asked())[0].n, (await asked())[0].n);
  const sexes = [];
  await sql.unsafe(SEXES).cursor(2, (rows) => sexes.push(...rows.map((row) => row.sex)));
  assert.deepStrictEqual(sexes, ['F', 'M', 'X']);
  await sql.end();
}

async function main(port, certificate) {
  const settings = {
    host: 'localhost', port: Number(port), user: 'ana', password: process.env.PGPASSWORD, database: 'clinic',
    ssl: {ca: fs.readFileSync(certificate), servername: 'localhost'},
  };
  await nodePostgres(settings);
  await postgresJs(settings);
}

main(process.argv[2], process.argv[3]).catch((error) => {
  console.error(error);
  process.exit(1);
});
