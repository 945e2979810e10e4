import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { checkFingerprint } from '../settings.ts';
import type { Migration } from '../store.ts';
import { openTestStore } from '../testing.ts';
import { faultOfDatabase } from './faults.ts';

test('reports a database that is damaged, of a newer version, or sealed with another key', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'portolan.sqlite');
  const boxOf = (byte: number) => secretBox(Buffer.alloc(32, byte), systemRandom());
  const migration: Migration = { number: 901, name: 'none', up: async () => {} };
  const store = await openTestStore(t, { file }, { migrations: [migration] });
  await store.close();
  const { fingerprint } = boxOf(1);
  assert.equal(faultOfDatabase(file, { migrations: [migration], fingerprint }), undefined);
  const begun = await openTestStore(t, { file }, { migrations: [migration] });
  await checkFingerprint(begun, boxOf(1));
  await begun.close();

  assert.equal(faultOfDatabase(file, { whole: true, migrations: [migration], fingerprint }), undefined);
  assert.equal(faultOfDatabase(file, { migrations: [] }), 'was written by a newer version of Portolan');
  const other = boxOf(2).fingerprint;
  assert.equal(faultOfDatabase(file, { fingerprint: other }), 'was written with another secret key');
  writeFileSync(file, 'no database');
  assert.equal(faultOfDatabase(file), 'is damaged');
});
