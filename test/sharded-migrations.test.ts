import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Document, MongoClient } from 'mongodb';
import { driverFor, newUser, SAILOR } from './support/drivers.ts';
import {
  cutOver,
  fillSource,
  linked,
  migrate,
  migrationBody,
  newTarget,
  projectOf,
  reportedProject,
  type SourceCluster,
  sourceCluster,
  targetDriver,
  untilReady,
  validated,
  Writer,
} from './support/migrations.ts';
import { dice } from './support/random.ts';
import { type Scope, scopeOf } from './support/service.ts';
import { onOneSetup, openSetup } from './support/setups.ts';
import { applied } from './support/stage.ts';

const SHARDED = { clusterType: 'SHARDED', numShards: 2 };

const scope: Scope = scopeOf({ after });
let single: SourceCluster;
let sharded: SourceCluster;

before(async () => {
  const origin = await openSetup(scope, 'SQLite, one instance');
  single = await sourceCluster(scope, origin, 'single');
  sharded = await sourceCluster(scope, origin, 'sharded', SHARDED);
  const roles = [{ roleName: 'platformAdmin', databaseName: 'admin' }];
  await newUser(origin, projectOf(sharded.path), 'pilot', { roles });
  await applied(origin.owner, sharded.path);
  const pilot = await driverFor(origin, sharded.path, { auth: { ...SAILOR, username: 'pilot' } });
  scope.after(() => pilot.close());
  await pilot.db('admin').command({ shardCollection: 'harbour.ships', key: { _id: 'hashed' } });
  for (const { driver } of [single, sharded]) await fillSource(driver);
});

onOneSetup('SQLite, one instance', 'migrations into sharded clusters', (setup) => {
  let projectId: string;
  before(async () => {
    await linked(scope, setup, [`single=${single.uri}`, `sharded=${sharded.uri}`]);
    ({ projectId } = await reportedProject(setup, 2));
  });

  /** Migrates a cluster under load. Returns drivers for source and destination. */
  async function moved(source: SourceCluster, name: string, change: object): Promise<MongoClient> {
    const target = await newTarget(setup, `${name}-new`, SHARDED);
    const body = migrationBody(target, { projectId, name }, change);
    assert.deepEqual((await validated(setup, target, body)).errorMessage, null);
    const writer = new Writer(scope, source.driver, dice(3));
    const path = await migrate(setup, target, body);
    await untilReady(setup, path);
    await writer.stop();
    await cutOver(setup, path);
    const driver = await targetDriver(scope, setup, target);
    assert.deepEqual(await contentOf(driver), await contentOf(source.driver));
    return driver;
  }

  test('a replica set is distributed by the requested keys', async () => {
    const shardingEntries = [
      { database: 'harbour', collection: 'ships', shardCollection: { key: [{ name: 1 }, { _id: 1 }] } },
    ];
    const driver = await moved(single, 'single', {
      sharding: { createSupportingIndexes: true, shardingEntries },
    });
    assert.deepEqual(await keysOf(driver), [['harbour.ships', { name: 1, _id: 1 }]]);
    const target = await newTarget(setup, 'plain', SHARDED);
    const { errorMessage } = await validated(
      setup,
      target,
      migrationBody(target, { projectId, name: 'single' }),
    );
    assert.match(String(errorMessage), /`sharding` is required/);
  });

  test('a sharded cluster is distributed like its source', async () => {
    const driver = await moved(sharded, 'sharded', {});
    assert.deepEqual(await keysOf(driver), [['harbour.ships', { _id: 'hashed' }]]);
    const target = await newTarget(setup, 'one');
    const { errorMessage } = await validated(
      setup,
      target,
      migrationBody(target, { projectId, name: 'sharded' }),
    );
    assert.match(String(errorMessage), /The source is sharded/);
  });
});

async function keysOf(driver: MongoClient): Promise<unknown[]> {
  const found = await driver
    .db('config')
    .collection<Document & { _id: string }>('collections')
    .find()
    .toArray();
  return found.filter(({ _id }) => !_id.startsWith('config.')).map(({ _id, key }) => [_id, key]);
}

/** Returns all documents of all collections. Routers do not support `dbHash`. */
async function contentOf(driver: MongoClient): Promise<Record<string, Document[]>> {
  const content: Record<string, Document[]> = {};
  for (const database of ['harbour', 'inn', 'yard']) {
    const infos = await driver.db(database).listCollections({ type: 'collection' }).toArray();
    for (const { name } of infos.filter((info) => !info.name.startsWith('system.')))
      content[`${database}.${name}`] = await driver
        .db(database)
        .collection(name)
        .find()
        .sort({ _id: 1 })
        .toArray();
  }
  return content;
}
