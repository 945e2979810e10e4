import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '@portolan/engine/management';
import { testClock } from '@portolan/foundation/testing';
import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { checkDecrease, storedBytes } from './disk-decrease.ts';

const GB = 1024 ** 3;

/** Returns only those fields of a specification that these checks read. */
const spec = (diskSizeGB: number, ...shards: number[]) =>
  ({ diskSizeGB, zones: shards.map((numShards) => ({ numShards })) }) as unknown as ClusterSpec;

test('rejects smaller disks that the data do not fit on', () => {
  const [before, after] = [spec(40, 1), spec(20, 1)];
  checkDecrease(before, after, 20 * GB);
  const small = { status: 400, code: 'DISK_SIZE_GB_TOO_SMALL', parameters: [] };
  assert.throws(() => checkDecrease(before, after, 20 * GB + 1), small);
  checkDecrease(spec(40, 2, 1), spec(20, 2, 1), 60 * GB);
  assert.throws(() => checkDecrease(spec(40, 2, 1), spec(20, 2, 1), 60 * GB + 1), small);
});

test('accepts disks of the same or a larger size without a check', () => {
  checkDecrease(spec(40, 1), spec(40, 1), undefined);
  checkDecrease(spec(40, 1), spec(50, 1), 60 * GB);
});

test('rejects smaller disks while the size of the data is unknown', () => {
  const unknown = { status: 500, code: 'CANNOT_DECREASE_DISK_SIZE' };
  assert.throws(() => checkDecrease(spec(40, 1), spec(20, 1), undefined), unknown);
});

// The smallest disk has 10 GB. A test cannot create a larger database, so it simulates the reply of the host.
test('reads the size of the data from the host, within a time limit', async () => {
  const machine = testClock();
  const cluster = { id: 'c', host: 'here' } as ClusterModel;
  const replying = (run: Engine['run'], hosts = ['here']) => {
    const engines = {
      local: 'here',
      forNew: () => ({ host: 'here' }),
      resources: undefined,
      at: () => ({ run }) as Engine,
      reachable: () => hosts,
      keeps: () => true,
      silent: () => [],
      look: () => Promise.reject(new Error('there is none')),
      refresh: () => Promise.reject(new Error('there is none')),
      backupsAt: () => undefined,
      revokeDrops: async () => {},
      dropDatabases: async () => {},
      takenIn: async () => undefined,
      replayed: () => assert.fail(),
      setClock: async () => {},
    };
    return storedBytes(cluster, { engines, machine });
  };
  assert.equal(await replying(async () => ({ ok: 1, totalSize: 30 * GB })), 30 * GB);
  assert.equal(await replying(async () => ({ ok: 0, errmsg: 'no' })), undefined);
  assert.equal(await replying(() => Promise.reject(new Error('it is paused'))), undefined);
  assert.equal(await replying(async () => ({ ok: 1, totalSize: 1 }), []), undefined);
  const late = replying(() => new Promise(() => {}));
  machine.advance(10_000);
  assert.equal(await late, undefined);
});
