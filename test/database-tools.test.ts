import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Db, MongoClient } from 'mongodb';
import { allowAccess, driverFor, LONG_TIMEOUTS, newUser, SAILOR } from './support/drivers.ts';
import { engineAlone } from './support/engine-alone.ts';
import { makeEveryKind, makeSeries } from './support/every-kind.ts';
import { onOneSetup } from './support/setups.ts';
import { applied, idle, newCluster, newProject } from './support/stage.ts';
import { isOnPath, runProgram } from './support/tools.ts';

describe('the database tools on a standalone engine', () => {
  const uri = engineAlone();

  async function run(tool: string, ...args: string[]): Promise<void> {
    const { code, stderr } = await runProgram(tool, [`--uri=${uri()}`, ...args]);
    assert.equal(code, 0, `${tool} ${args.join(' ')}: ${stderr}`);
  }

  /**
   * Creates a database with every kind of collection, and a folder for output. Returns undefined if a tool is not
   * installed.
   */
  async function begin(t: TestContext, ...tools: string[]): Promise<{ db: Db; folder: string } | undefined> {
    if (!(await areOnPath(t, ...tools))) return undefined;
    const folder = await mkdtemp(join(tmpdir(), 'tools-'));
    const client = await MongoClient.connect(uri(), LONG_TIMEOUTS);
    t.after(async () => {
      await client.close();
      await rm(folder, { recursive: true });
    });
    const db = client.db('harbour');
    await db.dropDatabase();
    await makeEveryKind(db);
    return { db, folder };
  }

  test('mongodump and mongorestore export and restore a database', async (t) => {
    const begun = await begin(t, 'mongodump', 'mongorestore');
    if (begun === undefined) return;
    const { db, folder } = begun;
    const before = await stateOf(db);
    await run('mongodump', '--db=harbour', `--out=${folder}`);
    await db.dropDatabase();
    await run('mongorestore', folder);
    assert.deepEqual(await stateOf(db), before);
    const archive = `--archive=${join(folder, 'archive')}`;
    await run('mongodump', '--db=harbour', archive, '--gzip');
    await run('mongorestore', archive, '--gzip', '--drop', '--preserveUUID');
    assert.deepEqual(await stateOf(db), before);
    await run('mongodump', '--oplog', archive);
    await run('mongorestore', archive, '--drop', '--oplogReplay');
    assert.deepEqual(await stateOf(db), before);
  });

  test('mongoexport and mongoimport export and import collections', async (t) => {
    const begun = await begin(t, 'mongoexport', 'mongoimport');
    if (begun === undefined) return;
    const { db, folder } = begun;
    const before = await stateOf(db);
    for (const name of ['values', 'indexed', 'capped', 'clustered', 'collated', 'a name.of its/own%é']) {
      const from = ['--db=harbour', `--collection=${name}`];
      const file = join(folder, 'documents');
      await run('mongoexport', ...from, '--jsonFormat=canonical', `--out=${file}`);
      await db.collection(name).deleteMany({});
      await run('mongoimport', ...from, `--file=${file}`);
    }
    assert.deepEqual(await stateOf(db), before);
  });
});

onOneSetup('SQLite, one instance', 'the database tools on a cluster', (setup) => {
  const auth = (username: string) => ({ auth: { ...SAILOR, username } });

  /** Creates a cluster with a time series, and one user for each role. */
  async function harbour(t: TestContext) {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'fleet');
    await allowAccess(setup, project, cluster);
    const users = { keeper: 'backup', chief: 'platformAdmin' };
    for (const [username, roleName] of Object.entries(users))
      await newUser(setup, project, username, { roles: [{ roleName, databaseName: 'admin' }] });
    await applied(setup.owner, cluster);
    const as = async (username: string) => {
      const driver = await driverFor(setup, cluster, auth(username));
      t.after(() => driver.close());
      return driver.db('harbour');
    };
    const sailor = await as('sailor');
    await makeSeries(sailor);
    return { cluster, as, sailor };
  }

  test('the roles that the API grants read and write a time series as its buckets', async (t) => {
    const { as, sailor } = await harbour(t);
    const [keeper, chief] = [await as('keeper'), await as('chief')];
    const before = await stateOf(chief);
    const buckets = 'system.buckets.series';
    const dumped = await keeper.collection(buckets).find().toArray();
    assert.ok(dumped.length > 0);
    const unauthorized = { code: 13, codeName: 'Unauthorized' };
    await assert.rejects(keeper.collection(buckets).insertOne({}), unauthorized);
    await assert.rejects(sailor.collection(buckets).findOne({}), unauthorized);
    const [series] = await keeper.listCollections({ name: 'series' }, { nameOnly: false }).toArray();
    const indexes = (await keeper.collection('series').indexes()).filter(
      ({ name }) => name === 'of.k_1_at_-1',
    );
    await chief.collection('series').drop();
    await chief.createCollection('series', series && 'options' in series ? series.options : {});
    await chief.collection(buckets).insertMany(dumped, { bypassDocumentValidation: true });
    await chief.command({ createIndexes: 'series', indexes });
    assert.deepEqual(await stateOf(chief), before);
  });

  test('mongodump and mongorestore carry a time series with granted roles', async (t) => {
    if (!(await areOnPath(t, 'mongodump', 'mongorestore'))) return;
    const { cluster, as } = await harbour(t);
    const chief = await as('chief');
    const before = await stateOf(chief);
    const folder = await mkdtemp(join(tmpdir(), 'tools-'));
    t.after(() => rm(folder, { recursive: true }));
    const { connectionStrings } = await idle(setup.owner, cluster);
    const run = async (tool: string, username: string, ...args: string[]) => {
      const account = [`--username=${username}`, `--password=${SAILOR.password}`];
      const { code, stderr } = await runProgram(tool, [
        `--uri=${connectionStrings.standard}`,
        ...account,
        ...args,
      ]);
      assert.equal(code, 0, stderr);
    };
    await run('mongodump', 'keeper', `--out=${folder}`);
    await run('mongorestore', 'chief', '--drop', folder);
    assert.deepEqual(await stateOf(chief), before);
  });
});

/** Whether all tools are on the path. If not, a diagnostic names the first missing one. */
async function areOnPath(t: TestContext, ...tools: string[]): Promise<boolean> {
  for (const tool of tools) {
    if (await isOnPath(tool)) continue;
    t.diagnostic(`${tool} was not tried, as it is not on the path`);
    return false;
  }
  return true;
}

/** Returns the type, indexes and document hash of each collection. */
async function stateOf(db: Db): Promise<object> {
  const { collections: hashes } = await db.command({ dbHash: 1 });
  const listed = await db.listCollections({}, { nameOnly: false }).toArray();
  const state: Record<string, unknown> = {};
  for (const { name, type, options } of listed) {
    if (name === 'system.views') continue;
    const indexes = type === 'view' ? [] : await db.collection(name).indexes();
    indexes.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
    const hash = hashes[name] ?? hashes[`system.buckets.${name}`];
    const count = await db.collection(name).countDocuments();
    state[name] = { type, options, indexes, hash, count };
  }
  return state;
}
