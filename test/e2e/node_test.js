// node-postgres against tacit serve: node node_test.js PORT CERTIFICATE
const assert = require('assert');
const fs = require('fs');
const pg = require('pg');

async function main(port, certificate) {
  const client = new pg.Client({
    host: 'localhost', port: Number(port), user: 'ana', password: process.env.PGPASSWORD, database: 'clinic',
    ssl: {ca: fs.readFileSync(certificate), servername: 'localhost'}, enableChannelBinding: true,
  });
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
  await client.end();
}

main(process.argv[2], process.argv[3]).catch((error) => {
  console.error(error);
  process.exit(1);
});
