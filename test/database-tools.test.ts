import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Db, MongoClient } from 'mongodb';
import { engineAlone } from './support/engine-alone.ts';
import { makeEveryKind } from './support/every-kind.ts';
import { isOnPath, runProgram } from './support/tools.ts';

describe('the database tools on an engine alone', () => {
  const uri = engineAlone();

  async function run(tool: string, ...args: string[]): Promise<void> {
    const { code, stderr } = await runProgram(tool, [`--uri=${uri()}`, ...args]);
    assert.equal(code, 0, `${tool} ${args.join(' ')}: ${stderr}`);
  }

  /** A database with everything in it, and a folder for what comes out; nothing where a tool is not found. */
  async function begin(t: TestContext, ...tools: string[]): Promise<{ db: Db; folder: string } | undefined> {
    for (const tool of tools) {
      if (await isOnPath(tool)) continue;
      t.diagnostic(`${tool} was not tried, as it is not on the path`);
      return undefined;
    }
    const folder = await mkdtemp(join(tmpdir(), 'tools-'));
    const client = await MongoClient.connect(uri());
    t.after(async () => {
      await client.close();
      await rm(folder, { recursive: true });
    });
    const db = client.db('harbour');
    await db.dropDatabase();
    await makeEveryKind(db);
    return { db, folder };
  }

  test('mongodump and mongorestore take a database out and bring it back', async (t) => {
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

  test('mongoexport and mongoimport take collections out and bring them back', async (t) => {
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

/** Of each collection what it is, its indexes and the hash of its documents. */
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
