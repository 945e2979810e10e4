import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import type { TaskContext } from '../../tasks/index.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import type { PlaceWork } from './changes.ts';
import { insertNamespace, saveMappings } from './rows.ts';
import { placeNamespaces } from './tasks.ts';

type Command = Readonly<Record<string, unknown>>;
type Reply = (command: Command) => Command;

interface Tables {
  event: { type: string; details: string };
}

const people = { db: 'shop', collection: 'people', customShardKey: 'city' };
const ports = { db: 'shop', collection: 'ports', customShardKey: 'name' };
const placed: Reply = () => ({ ok: 1, shards: [] });

/** Creates a cluster with two managed collections and one mapping. */
async function opened(t: TestContext, database: DatabaseLocation) {
  const { store, groupId } = await openClusters(t, database);
  const cluster = await store.write(async (tx) => {
    const made = await makeCluster(tx, groupId);
    const zoneId = made.spec.zones[0]?.id ?? '';
    await saveMappings(tx, made.id, [{ location: 'DE', zoneId }]);
    for (const namespace of [people, ports]) await insertNamespace(tx, made.id, namespace);
    return made;
  });
  const commands: string[] = [];
  let reply = placed;
  const engine = {
    async run(_: string, command: Command) {
      const [name = ''] = Object.keys(command);
      commands.push(name);
      return reply(command);
    },
  };
  const context = {
    ...{ store, services: { engines: { at: () => engine } }, log: silentLog() },
    ...{ payload: { clusterId: cluster.id }, signal: new AbortController().signal },
  } as unknown as TaskContext<Services, PlaceWork>;
  const [place] = placeNamespaces.steps;
  return {
    commands,
    async run(replying: Reply) {
      reply = replying;
      const result = await place?.run?.(context);
      await store.write(async (tx) => void (await place?.commit?.(tx, context, result)));
    },
    fail: (reason: string) =>
      store.write(async (tx) => void (await placeNamespaces.onFailed?.(tx, context, new Error(), reason))),
    async failures() {
      const events = await store.read((tx) =>
        tx
          .from<Tables>()
          .selectFrom('event')
          .selectAll()
          .where('type', '=', 'MANAGED_NAMESPACE_FAILED')
          .execute(),
      );
      return events.map(({ details }) => JSON.parse(details).reason).toSorted();
    },
  };
}

onEachDatabase('a placement that a restart interrupts runs again and has not failed', async (t, database) => {
  const { run, failures, commands } = await opened(t, database);
  for (const interrupted of ['addShardToZone', 'shardCollection', 'listShards', 'setZoneKeyRanges']) {
    const lost: Reply = (command) => {
      if (interrupted in command) throw new Error('the connection to the engine host was lost');
      return placed(command);
    };
    await assert.rejects(run(lost), { message: 'the connection to the engine host was lost' });
    const restarting: Reply = (command) =>
      interrupted in command ? { ok: 0, code: 11_600, errmsg: 'shutdown' } : placed(command);
    await assert.rejects(run(restarting), { message: 'shutdown' });
  }
  assert.deepEqual(await failures(), []);
  commands.length = 0;
  await run(placed);
  assert.deepEqual(commands, [
    'addShardToZone',
    ...['shardCollection', 'setZoneKeyRanges', 'shardCollection', 'setZoneKeyRanges'],
    'listShards',
  ]);
  assert.deepEqual(await failures(), []);
});

onEachDatabase('shards leave former zones of the cluster, but not zones of users', async (t, database) => {
  const { run, commands } = await opened(t, database);
  // The servers return at most 101 documents in the first batch of a cursor.
  const shards = Array.from({ length: 102 }, (_, number) => ({ _id: `shard-${number}` }));
  const tags = ['berths', 'a'.repeat(24)];
  const all = [...shards, { _id: 'tagged', tags }];
  const removals: Command[] = [];
  commands.length = 0;
  await run((command) => {
    if ('removeShardFromZone' in command) removals.push(command);
    return { ok: 1, shards: all, cursor: { firstBatch: all.slice(0, 101) } };
  });
  assert.deepEqual(removals, [{ removeShardFromZone: 'tagged', zone: 'a'.repeat(24), $db: 'admin' }]);
  // Setting the ranges again moves documents away from the shard.
  const afterwards = commands.slice(commands.indexOf('removeShardFromZone'));
  assert.deepEqual(afterwards, ['removeShardFromZone', 'setZoneKeyRanges', 'setZoneKeyRanges']);
});

onEachDatabase('an event names each collection that the cluster refuses to place', async (t, database) => {
  const { run, fail, failures } = await opened(t, database);
  await run((command) =>
    command.shardCollection === 'shop.ports' ? { ok: 0, code: 20, errmsg: 'is a view' } : placed(command),
  );
  assert.deepEqual(await failures(), ['shop.ports: is a view']);
  await fail('the cluster does not answer');
  assert.deepEqual(await failures(), [
    'shop.people: the cluster does not answer',
    'shop.ports: is a view',
    'shop.ports: the cluster does not answer',
  ]);
});
