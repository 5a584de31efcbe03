// kysely on node-postgres: node kysely_test.js PORT CERTIFICATE
const assert = require('assert');
const fs = require('fs');
const pg = require('pg');
const {Kysely, PostgresDialect, sql} = require('kysely');

async function main(port, certificate) {
  const pool = new pg.Pool({
    host: 'localhost', port: Number(port), user: 'ana', password: process.env.PGPASSWORD, database: 'clinic', max: 2,
    ssl: {ca: fs.readFileSync(certificate), servername: 'localhost'},
  });
  const db = new Kysely({dialect: new PostgresDialect({pool})});
  const tables = await db.introspection.getTables();
  const people = tables.find((table) => table.name === 'people' && table.schema === 'public');
  assert.deepStrictEqual(people.columns.map((column) => column.name), ['age', 'sex', 'town', 'pay', 'seen']);

  const bySex = () => db.selectFrom('people').select(['sex', (eb) => eb.fn.countAll().as('n')])
    .where('age', '>', 44).groupBy('sex').orderBy('sex').execute();
  const rows = await bySex();
  assert.deepStrictEqual(rows.map((row) => row.sex), ['F', 'M', 'X']);
  assert.deepStrictEqual(await bySex(), rows);
  await assert.rejects(db.selectFrom('people').selectAll().limit(1).execute(), {code: '42501'});
  const left = await sql`SELECT epsilon_left FROM tacit.budget`.execute(db);
  assert.ok(left.rows[0].epsilon_left > 0);
  await db.destroy();
}

main(process.argv[2], process.argv[3]).catch((error) => {
  console.error(error);
  process.exit(1);
});
