// TypeORM connects, reflects the sample clinic, and asks; drizzle-kit writes its tables down: node orms_test.js, where run.py
// says what is served.
const assert = require('assert');
const {spawnSync} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

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

// As people run it: `drizzle-kit pull`, with a file that says where.
function drizzleKit() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'drizzle-'));
  const config = {dialect: 'postgresql', out: './out',
    dbCredentials: {host: 'localhost', port, user: 'ana', password, database: 'clinic', ssl: {ca, servername: 'localhost'}}};
  fs.writeFileSync(path.join(folder, 'drizzle.config.js'), `module.exports = ${JSON.stringify(config)};`);
  const program = path.join(process.env.NODE_PATH, 'drizzle-kit', 'bin.cjs');
  const ran = spawnSync('node', [program, 'pull', '--config', 'drizzle.config.js'], {cwd: folder, encoding: 'utf8', timeout: 120000});
  assert.strictEqual(ran.status, 0, ran.stdout + ran.stderr);
  const schema = fs.readFileSync(path.join(folder, 'out', 'schema.ts'), 'utf8');
  for (const part of ['pgTable("visits"', 'pgTable("patients"', 'department: text()', 'admitted: date()', 'cost: doublePrecision()']) {
    assert.ok(schema.includes(part), part + ' in ' + schema);
  }
  assert.ok(!schema.includes('patient_ssn'), 'a hidden column is nobody\'s');
  fs.rmSync(folder, {recursive: true});
}

async function main() {
  await typeorm();
  drizzleKit();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
