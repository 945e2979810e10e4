import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineUnavailable } from '@portolan/engine/management';
import { testClock } from '@portolan/foundation/testing';
import type { Document } from 'mongodb';
import { NotYet } from '../../tasks/index.ts';
import type { ClusterModel } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import {
  apply,
  hasCollection,
  ifReachable,
  indexesOfCluster,
  indexesOfCollection,
  ListingRefused,
} from './engine-indexes.ts';
import type { IndexRow } from './rows.ts';

const cluster = { id: 'c', host: 'here' } as ClusterModel;

/** Returns services whose engine answers a command with the next reply in the list for this command. */
function replying(replies: Readonly<Record<string, readonly Document[]>>): Services {
  const left = new Map(Object.entries(replies).map(([name, all]) => [name, [...all]]));
  const run = async (_: string, command: Document) => left.get(Object.keys(command)[0] ?? '')?.shift();
  return { engines: { at: () => ({ run }) }, machine: testClock() } as unknown as Services;
}

const failure = (code: number) => ({ ok: 0, code, errmsg: 'no' });
const databases = { ok: 1, databases: [{ name: 'shop' }] };
const collections = { ok: 1, cursor: { firstBatch: [{ name: 'books' }] } };
const indexes = { ok: 1, cursor: { firstBatch: [{ id: '1' }] }, more: true };

test('indexes count as missing only if the cluster says so', async () => {
  const listed = async (...replies: readonly Document[]) => {
    const services = replying({ listSearchIndexes: replies });
    return (await indexesOfCollection(services, cluster, 'shop', 'books')).map(({ id }) => id);
  };
  // The collection or its database does not exist, or the collection is a view.
  for (const code of [26, 73, 166]) assert.deepEqual(await listed(failure(code)), []);
  assert.deepEqual(await listed(indexes, failure(26)), ['1']);
  // An internal error, a missing privilege, and a shutdown in progress.
  for (const code of [1, 13, 91]) {
    await assert.rejects(listed(failure(code)), NotYet);
    await assert.rejects(listed(indexes, failure(code)), NotYet);
  }
});

test('an error that is not about the network does not count as an unreachable cluster', async () => {
  const failing = (error: Error) => {
    const run = () => Promise.reject(error);
    const services = { engines: { at: () => ({ run }) }, machine: testClock() } as unknown as Services;
    return ifReachable(cluster, () => indexesOfCollection(services, cluster, 'shop', 'books'));
  };
  assert.equal(await failing(new EngineUnavailable('no server responds')), undefined);
  await assert.rejects(failing(new TypeError('not iterable')), /not iterable/);
});

test('the reason why a cluster does not list its indexes is that of the servers', async () => {
  const services = replying({ listSearchIndexes: [{ ok: 0, code: 13, errmsg: 'not authorized' }] });
  await assert.rejects(indexesOfCollection(services, cluster, 'shop', 'books'), /not authorized/);
  const named = { ...cluster, name: 'fleet' } as ClusterModel;
  const listed = async (code: number) => {
    const parts = replying({ listSearchIndexes: [{ ok: 0, code, errmsg: 'not authorized' }] });
    return indexesOfCollection(parts, named, 'shop', 'books').catch(
      (error) => error instanceof ListingRefused,
    );
  };
  // Unauthorized and unknown command; shutdown in progress, exceeded time limit, and a shard that is not reachable.
  assert.deepEqual(await Promise.all([13, 59, 91, 50, 133].map(listed)), [true, true, false, false, false]);
});

test('collections count as missing only if the cluster says so', async () => {
  const some = (reply: Document) =>
    indexesOfCluster(
      replying({
        listDatabases: [databases],
        listCollections: [reply],
        listSearchIndexes: [{ ...indexes, more: false }],
      }),
      cluster,
    );
  const has = (reply: Document) =>
    hasCollection(replying({ listCollections: [reply] }), cluster, { database: 'shop', collection: 'books' });
  assert.deepEqual([(await some(collections)).length, await has(collections)], [1, true]);
  assert.deepEqual([(await some(failure(26))).length, await has(failure(26))], [0, false]);
  await assert.rejects(some(failure(91)), NotYet);
  await assert.rejects(has(failure(91)), NotYet);
});

test('a change of an index is repeated after a restart of the cluster', async () => {
  const row = { id: 'i', status: 'DELETING', database: 'shop', collection: 'books' } as IndexRow;
  const dropped = (reply: Document) => apply(replying({ dropSearchIndex: [reply] }), cluster, row, []);
  for (const code of [91, 11_600]) await assert.rejects(dropped(failure(code)));
  assert.deepEqual(await dropped(failure(13)), { code: 13, message: 'no' });
});
