// drizzle on node-postgres: node drizzle_test.js PORT CERTIFICATE
const assert = require('assert');
const fs = require('fs');
const pg = require('pg');
const {drizzle} = require('drizzle-orm/node-postgres');
const {count, avg, gt, sql} = require('drizzle-orm');
const {pgTable, integer, text} = require('drizzle-orm/pg-core');

const people = pgTable('people', {age: integer('age'), sex: text('sex')});

async function main(port, certificate) {
  const pool = new pg.Pool({
    host: 'localhost', port: Number(port), user: 'ana', password: process.env.PGPASSWORD, database: 'clinic', max: 2,
    ssl: {ca: fs.readFileSync(certificate), servername: 'localhost'},
  });
  const db = drizzle(pool);
  const bySex = () => db.select({sex: people.sex, n: count(), age: avg(people.age)}).from(people)
    .where(gt(people.age, 41)).groupBy(people.sex).orderBy(people.sex);
  const rows = await bySex();
  assert.deepStrictEqual(rows.map((row) => row.sex), ['F', 'M', 'X']);
  assert.ok(rows.every((row) => Number.isInteger(row.n) && Number(row.age) >= 0));
  assert.deepStrictEqual(await bySex(), rows);
  const older = db.$with('older').as(db.select({n: count().as('n')}).from(people).where(gt(people.age, 60)));
  const [share] = await db.with(older).select({n: older.n, twice: sql`${older.n} * 2`}).from(older);
  assert.strictEqual(Number(share.twice), 2 * Number(share.n));
  // How drizzle says that the server refused: the cause is the driver's own error.
  const refused = await db.select().from(people).limit(1).then(() => null, (error) => error.cause ?? error);
  assert.strictEqual(refused.code, '42501');
  // drizzle-kit asks so which relations there are.
  const tables = await db.execute(sql`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`);
  assert.ok(tables.rows.some((row) => row.table_name === 'people'));
  await pool.end();
}

main(process.argv[2], process.argv[3]).catch((error) => {
  console.error(error);
  process.exit(1);
});
