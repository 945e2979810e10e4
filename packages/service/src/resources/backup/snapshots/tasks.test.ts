import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { system } from '../../../events/index.ts';
import { BucketError } from '../../../objects/object-store.ts';
import { PermanentError } from '../../../replication/permanent-error.ts';
import { insertRestore } from '../model/restores/rows.ts';
import { insertSnapshot, snapshotsOf, updateSnapshot } from '../model/snapshots/rows.ts';
import { endRestore } from '../restores/changes.ts';
import { openBackups, restoreRow } from '../testing.ts';
import {
  changeRetention,
  forgetSnapshot,
  removeSnapshot,
  requestSnapshot,
  scheduleSnapshot,
} from './changes.ts';
import { takeSnapshot } from './tasks.ts';

async function opened(t: TestContext) {
  const backups = await openBackups(t);
  const { store, cluster, settled, objects } = backups;
  const retention = { value: 3, unit: 'DAYS' } as const;
  const rows = () => store.read((tx) => snapshotsOf(tx, cluster.id));
  return {
    ...backups,
    rows,
    chunk: (text: string) => `${cluster.id}/chunks/${hash('sha256', text)}`,
    keys: () => [...objects.content.keys()].map((key) => key.slice(cluster.id.length + 1)).toSorted(),
    async onDemand() {
      await store.write((tx) => requestSnapshot(tx, cluster, { description: undefined, retention }, system));
      await settled();
      const last = (await rows()).at(-1);
      assert.ok(last);
      return last;
    },
    async scheduled() {
      const items = [{ id: 'item', frequency: 'daily', days: 2 }] as const;
      await store.write((tx) => scheduleSnapshot(tx, cluster, { due: tx.now, items }));
      await settled();
      return (await rows()).map(({ type, status }) => `${type} ${status}`);
    },
  };
}

test('a snapshot of an unchanged cluster sends no chunks', async (t) => {
  const { onDemand, engine, objects, cluster, store, settled, chunk } = await opened(t);
  const first = await onDemand();
  const second = await onDemand();
  assert.deepEqual(engine.sent.splice(0), ['a', 'b', 'same']);
  assert.equal(second.facts.storageBytes, first.facts.storageBytes);
  const manifests = [first, second].map(({ id }) =>
    objects.content.get(`${cluster.id}/snapshots/${id}.json`),
  );
  assert.deepEqual(manifests[1], manifests[0]);
  await store.write((tx) => forgetSnapshot(tx, first));
  await settled();
  assert.ok(objects.content.has(chunk('a')));
  engine.texts = ['a', 'c'];
  await onDemand();
  assert.deepEqual(engine.sent.splice(0), ['(a)', 'c']);
});

test('a snapshot shows the version and the provider of its cluster from its beginning', async (t) => {
  const { onDemand, rows, objects } = await opened(t);
  const seen: unknown[] = [];
  objects.trouble = async (call) => {
    const [row] = call === 'list' ? await rows() : [];
    if (row) seen.push([row.status, row.facts.version, row.facts.provider]);
  };
  const { status, facts } = await onDemand();
  assert.deepEqual([status, facts.provider], ['completed', 'AWS']);
  assert.deepEqual(seen[0], ['inProgress', facts.version, 'AWS']);
});

test('the next snapshot stores missing and truncated chunks again', async (t) => {
  const { onDemand, engine, objects, chunk } = await opened(t);
  await onDemand();
  objects.content.delete(chunk('a'));
  objects.content.set(chunk('b'), Buffer.alloc(0));
  engine.sent.length = 0;
  await onDemand();
  assert.deepEqual(engine.sent, ['a', 'b']);
  assert.equal(objects.content.get(chunk('b'))?.toString(), 'b');
});

test('a failed scheduled snapshot is replaced by a fallback, which reuses no stored chunks', async (t) => {
  const { scheduled, rows, engine, objects, clock, recordedEvents } = await opened(t);
  assert.deepEqual(await scheduled(), ['scheduled completed']);
  engine.texts = ['a', 'c'];
  objects.trouble = (call) => {
    if (call === 'list') throw new Error('the store cannot list');
  };
  engine.sent.length = 0;
  assert.deepEqual(await scheduled(), ['scheduled completed', 'scheduled failed', 'fallback completed']);
  assert.deepEqual(engine.sent, ['a', 'c']);
  const [, failed, fallback] = await rows();
  assert.equal(failed?.facts.problem, 'the store cannot list');
  const events = (await recordedEvents()).map(({ type }) => type);
  assert.ok(events.includes('CPS_SNAPSHOT_FAILED') && events.includes('CPS_SNAPSHOT_FALLBACK_SUCCESSFUL'));
  assert.deepEqual(fallback?.facts.items, failed?.facts.items);
  assert.equal(fallback?.facts.frequency, 'daily');
  const { created } = fallback;
  assert.ok(created && created <= clock.now());
  assert.equal(fallback.expires.getTime() - created.getTime(), 2 * 86_400_000);
});

test('a failed fallback is not followed by another one', async (t) => {
  const { scheduled, onDemand, objects, keys } = await opened(t);
  objects.trouble = (call) => {
    if (call === 'put') throw new Error('the store is full');
  };
  assert.deepEqual(await scheduled(), ['scheduled failed', 'fallback failed']);
  assert.equal((await onDemand()).status, 'failed');
  assert.deepEqual(keys(), []);
});

test('temporary errors of the store are retried', async (t) => {
  const { onDemand, objects } = await opened(t);
  let failures = 3;
  objects.trouble = (call) => {
    if (call === 'put' && failures-- > 0) throw new Error('try later');
  };
  assert.equal((await onDemand()).status, 'completed');
});

test('a snapshot waits for a store that is unavailable for most of a minute, but fails if access is denied', async (t) => {
  const { onDemand, objects, machine, recordedEvents } = await opened(t);
  const back = machine.now() + 50_000;
  objects.trouble = () => {
    if (machine.now() < back) throw new BucketError('unavailable', 'the bucket did not respond');
  };
  assert.equal((await onDemand()).status, 'completed');
  assert.ok(machine.now() >= back);
  let puts = 0;
  objects.trouble = (call) => {
    if (call !== 'put') return;
    puts++;
    throw new BucketError('denied', 'access to the bucket is denied');
  };
  assert.equal((await onDemand()).facts.problem, 'access to the bucket is denied');
  assert.equal(puts, 1);
  const failures = (await recordedEvents()).filter(({ type }) => type === 'CPS_SNAPSHOT_FAILED');
  assert.equal(failures.length, 1);
});

test('a failed snapshot leaves the store unchanged', async (t) => {
  const { onDemand, objects, engine, keys, recordedEvents } = await opened(t);
  await onDemand();
  const before = keys();
  engine.texts = ['a', 'c', 'd'];
  const full = Object.assign(new Error("ENOSPC: no space left on device, open '/srv/data/scratch'"), {
    code: 'ENOSPC',
  });
  const shown = "ENOSPC: no space left on device, open 'scratch'";
  objects.trouble = (call, key) => {
    if (call === 'put' && key.endsWith(hash('sha256', 'd'))) throw full;
  };
  const failed = await onDemand();
  assert.deepEqual([failed.status, failed.facts.problem], ['failed', shown]);
  const events = (await recordedEvents()).find(({ type }) => type === 'CPS_SNAPSHOT_FAILED');
  assert.equal(events?.reason, shown);
  assert.deepEqual(keys(), before);
  objects.trouble = () => {};
  assert.equal((await onDemand()).status, 'completed');
});

test('a snapshot that starts again leaves nothing of the interrupted attempt', async (t) => {
  const { onDemand, objects, engine, keys, chunk } = await opened(t);
  let cut = true;
  objects.trouble = (call, key) => {
    if (!cut || call !== 'put' || !key.endsWith('.json')) return;
    cut = false;
    // The cluster's data changes before the second attempt.
    engine.texts = ['a', 'c'];
    throw new Error('cut off');
  };
  const { id, status } = await onDemand();
  assert.equal(status, 'completed');
  assert.deepEqual(
    keys(),
    [...['a', 'c'].map((text) => `chunks/${hash('sha256', text)}`), `snapshots/${id}.json`].toSorted(),
  );
  assert.ok(!objects.content.has(chunk('b')));
});

test('an unreadable manifest affects only its own snapshot', async (t) => {
  const { onDemand, objects, engine, cluster, store, settled, chunk } = await opened(t);
  const first = await onDemand();
  const name = `${cluster.id}/snapshots/${first.id}.json`;
  const whole = String(objects.content.get(name));
  const others = [
    '{',
    'null',
    '{}',
    whole.replace('"chunks"', '"chunkz"'),
    whole.replace(/"hash":"./, '"hash":"/'),
  ];
  for (const damaged of others) {
    objects.content.set(name, Buffer.from(damaged));
    engine.texts = ['c'];
    const second = await onDemand();
    assert.equal(second.status, 'completed', damaged);
    await store.write((tx) => forgetSnapshot(tx, second));
    await settled();
    assert.ok(objects.content.has(chunk('a')), 'the chunks of the first snapshot are unknown');
  }
  await store.write((tx) => forgetSnapshot(tx, first));
  await settled();
  assert.equal(objects.content.size, 0);
});

test('a slow store limits how many chunks are read, and the snapshot stays in progress until they are stored', async (t) => {
  const { cluster, store, engine, objects, rows, settled } = await opened(t);
  engine.texts = Array.from({ length: 40 }, (_, n) => `text ${n}`);
  const gate = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  objects.trouble = (call) => {
    if (call !== 'put') return;
    began.resolve();
    return gate.promise;
  };
  const retention = { value: 3, unit: 'DAYS' } as const;
  await store.write((tx) => requestSnapshot(tx, cluster, { description: undefined, retention }, system));
  await began.promise;
  for (let turn = 0; turn < 100; turn++) await setImmediate();
  // Four chunks are being written, and a fifth waits to be written. The stream may have read a sixth chunk.
  assert.ok(engine.sent.length <= 6, `${engine.sent.length} chunks were read`);
  assert.deepEqual(
    (await rows()).map(({ status }) => status),
    ['inProgress'],
  );
  const [row] = await rows();
  assert.ok(row);
  const ask = () =>
    store.write((tx) => requestSnapshot(tx, cluster, { description: undefined, retention }, system));
  await assert.rejects(ask(), { code: 'UNFINISHED_ON_DEMAND_SNAPSHOT', parameters: [cluster.name] });
  await assert.rejects(
    store.write((tx) => removeSnapshot(tx, row, system)),
    { code: 'CANNOT_DELETE_IN_PROGRESS_SNAPSHOT' },
  );
  await assert.rejects(
    store.write((tx) => changeRetention(tx, row, retention, system)),
    { code: 'CANNOT_MODIFY_IN_PROGRESS_SNAPSHOT_RETENTION' },
  );
  gate.resolve();
  await settled();
  assert.deepEqual(
    (await rows()).map(({ status }) => status),
    ['completed'],
  );
  assert.equal(engine.sent.length, 40);
});

test('a snapshot of an adopted deployment waits for the end of a restore to its cluster', async (t) => {
  const { onDemand, rows, store, cluster, settled, adoptCluster } = await opened(t);
  const { id } = await onDemand();
  const restore = await store.write(async (tx) => {
    const row = restoreRow(tx, cluster, id);
    await insertRestore(tx, row);
    return row;
  });
  assert.equal((await onDemand()).status, 'completed', 'embedded clusters do not wait');
  await adoptCluster();
  assert.equal((await onDemand()).status, 'queued');
  await store.write((tx) => endRestore(tx, restore, { problem: 'none' }));
  await settled();
  assert.deepEqual(
    (await rows()).map(({ status }) => status),
    ['completed', 'completed', 'completed'],
  );
});

test('an attempt that its signal ends is not recorded as failed', async (t) => {
  const { onDemand, store, services, engine, cluster, recordedEvents } = await opened(t);
  const done = await onDemand();
  // A failed attempt is recorded only while another snapshot is being taken, so insert another snapshot.
  const others = { ...done, id: 'others', status: 'inProgress' } as const;
  await store.write(async (tx) => {
    await insertSnapshot(tx, others);
    await updateSnapshot(tx, { ...done, status: 'inProgress' });
  });
  const take = takeSnapshot.steps.find(({ name }) => name === 'take');
  const payload = { clusterId: cluster.id, snapshotId: done.id };
  const ended = new AbortController();
  const context = { services, store, payload, attempt: 1, progress: () => {}, signal: ended.signal };
  const warnings = async () =>
    (await recordedEvents()).filter(({ type }) => type === 'CPS_CONCURRENT_SNAPSHOT_FAILED_WILL_RETRY');
  engine.onSnapshot = () => {
    throw new Error('cut off');
  };
  await assert.rejects(async () => take?.run?.(context as never), /cut off/);
  assert.equal((await warnings()).length, 1);
  engine.onSnapshot = () => ended.abort(new Error('the service ends'));
  await assert.rejects(async () => take?.run?.(context as never), /the service ends/);
  assert.equal((await warnings()).length, 1);
});

test('a snapshot fails at once if a repetition cannot mend the error', async (t) => {
  const { onDemand, engine } = await opened(t);
  let attempts = 0;
  engine.onSnapshot = () => {
    attempts++;
    throw new PermanentError('the user may not read');
  };
  const { status, facts } = await onDemand();
  assert.deepEqual([status, facts.problem, attempts], ['failed', 'the user may not read', 1]);
});
