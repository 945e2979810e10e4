import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Decimal128, Long, MongoClient } from 'mongodb';
import { engineAlone } from './support/engine-alone.ts';
import { isOnPath, runProgram } from './support/tools.ts';

describe('mongodump and mongorestore on an engine alone', () => {
  const uri = engineAlone();

  async function run(tool: string, ...args: string[]): Promise<void> {
    const { code, stderr } = await runProgram(tool, [`--uri=${uri()}`, ...args]);
    assert.equal(code, 0, `${tool}: ${stderr}`);
  }

  test('take a database out and bring it back, with its indexes and options', async (t) => {
    for (const tool of ['mongodump', 'mongorestore']) {
      if (await isOnPath(tool)) continue;
      t.diagnostic(`${tool} was not tried, as it is not on the path`);
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'dump-'));
    const client = await MongoClient.connect(uri(), { promoteValues: false });
    t.after(async () => {
      await client.close();
      await rm(folder, { recursive: true });
    });
    const db = client.db('harbour');
    const validator = { $jsonSchema: { required: ['name'] } };
    const ships = await db.createCollection('ships', { validator });
    await ships.insertMany(
      Array.from({ length: 1500 }, (_, i) => ({
        name: `ship ${i}`,
        tons: new Long(i),
        price: new Decimal128('1.50'),
      })),
    );
    await ships.createIndex({ name: 1 }, { unique: true });
    await db.createCollection('first', { viewOn: 'ships', pipeline: [{ $limit: 1 }] });
    const tides = await db.createCollection('tides', {
      timeseries: { timeField: 'at', metaField: 'harbour' },
    });
    await tides.insertMany(
      Array.from({ length: 1500 }, (_, i) => ({ at: new Date(i * 60_000), harbour: i % 3, level: i / 7 })),
    );
    const hashes = async () => {
      const { collections } = await db.command({ dbHash: 1 });
      return [collections.ships, collections['system.buckets.tides']];
    };
    const state = async () => ({
      hashes: await hashes(),
      tides: await tides.find().sort({ at: 1 }).toArray(),
      documents: await ships.find().sort({ _id: 1 }).toArray(),
      indexes: await ships.indexes(),
      options: await ships.options(),
      view: await db.collection('first').find().toArray(),
    });
    const before = await state();
    await run('mongodump', '--db=harbour', `--out=${folder}`);
    await db.dropDatabase();
    await run('mongorestore', folder);
    assert.deepEqual(await state(), before);
  });
});
