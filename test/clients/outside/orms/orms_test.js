// TypeORM connects, reflects the sample clinic, and asks: node orms_test.js, where run.py says what is served.
const assert = require('assert');
const fs = require('fs');

const port = Number(process.env.TACIT_PORT);
const password = process.env.TACIT_PASSWORD;
const ca = fs.readFileSync(process.env.TACIT_ROOT_CERTIFICATE, 'utf8');

async function typeorm() {
  require('reflect-metadata');
  const {DataSource, EntitySchema} = require('typeorm');
  const Visit = new EntitySchema({
    name: 'visit', tableName: 'visits',
    columns: {department: {type: 'text', primary: true}, cost: {type: 'double precision'}},
  });
  const source = new DataSource({
    type: 'postgres', host: 'localhost', port, username: 'ana', password, database: 'clinic', ssl: {ca, servername: 'localhost'},
    entities: [Visit], installExtensions: false,
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  const tables = await runner.getTables(['visits', 'patients']);
  assert.deepStrictEqual(tables.map((table) => table.name.replace('public.', '')).sort(), ['patients', 'visits']);
  const visits = tables.find((table) => table.name.endsWith('visits'));
  const department = visits.columns.find((column) => column.name === 'department');
  assert.ok(['text', 'character varying'].includes(department.type), department.type);
  assert.ok(await runner.hasTable('visits'));
  assert.ok(await runner.hasColumn('visits', 'cost'));
  await runner.release();
  const rows = await source.getRepository(Visit).createQueryBuilder('v')
    .select('v.department', 'department').addSelect('COUNT(*)', 'n').addSelect('AVG(v.cost)', 'cost')
    .groupBy('v.department').orderBy('v.department').getRawMany();
  assert.ok(rows.length >= 3 && rows.every((row) => Number.isInteger(Number(row.n))), JSON.stringify(rows));
  const refused = await source.getRepository(Visit).find({take: 1}).then(() => null, (error) => error);
  assert.strictEqual(refused.driverError.code, '42501');
  await source.destroy();
}

async function main() {
  await typeorm();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
