import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { system } from '../../../events/index.ts';
import { downloadById, insertDownload, openDownloads } from '../model/downloads/rows.ts';
import { snapshotsOf } from '../model/snapshots/rows.ts';
import { requestSnapshot } from '../snapshots/changes.ts';
import { openBackups } from '../testing.ts';
import { requestDownload } from './changes.ts';
import { checkDownload } from './rules.ts';

test('a failed download states its reason and leaves no files; a project has at most twenty downloads', async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'portolan-scratch-'));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  const { store, cluster, settled, services, objects, recordedEvents } = await openBackups(t);
  Object.assign(services, { scratch });
  const retention = { value: 3, unit: 'DAYS' } as const;
  await store.write((tx) => requestSnapshot(tx, cluster, { description: undefined, retention }, system));
  await settled();
  const [snapshot] = await store.read((tx) => snapshotsOf(tx, cluster.id));
  assert.ok(snapshot);
  const kept = [...objects.content.keys()].toSorted();

  // The download fails, since the chunks of the test engine are not files of a cluster.
  const { id } = await store.write((tx) => requestDownload(tx, snapshot, { hours: 1 }, system));
  const ended = async () => {
    for (;;) {
      await settled();
      const row = await store.read((tx) => downloadById(tx, id));
      if (row?.finished !== undefined) return row;
    }
  };
  const failed = await ended();
  assert.match(failed.problem ?? '', /\S/);
  await settled();
  // Damaged chunks are deleted, so that the next snapshot stores them again.
  const left = [...objects.content.keys()].toSorted();
  assert.deepEqual(
    left,
    kept.filter((key) => left.includes(key) || !key.includes('/chunks/')),
  );
  assert.deepEqual(readdirSync(scratch), []);
  assert.ok((await recordedEvents()).some(({ type }) => type === 'CPS_SNAPSHOT_DOWNLOAD_REQUEST_FAILED'));

  const check = (change: object = {}) => store.read((tx) => checkDownload(tx, { ...snapshot, ...change }));
  await check();
  await assert.rejects(check({ status: 'failed' }), { code: 'CANNOT_DOWNLOAD_INCOMPLETE_SNAPSHOT' });
  const encryption = { provider: 'AWS', masterKey: 'key' };
  await assert.rejects(check({ facts: { ...snapshot.facts, encryption } }), {
    code: 'CANNOT_DOWNLOAD_SNAPSHOT_WITH_ENCRYPTION',
  });
  await store.write(async (tx) => {
    for (let number = 0; number < 20; number++) {
      const other = { source: `other ${number}`, finished: undefined, problem: undefined };
      await insertDownload(tx, { ...failed, id: tx.id(), ...other });
    }
  });
  assert.equal((await store.read((tx) => openDownloads(tx, snapshot.groupId))).length, 20);
  await assert.rejects(check(), { code: 'TOO_MANY_SNAPSHOT_DOWNLOADS' });
  await assert.rejects(check({ id: 'other 3' }), { code: 'CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY' });
});
