import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { AlreadyRunning, lock } from './lock.ts';
import { readRecord } from './record.ts';

const directory = mkdtempSync(join(tmpdir(), 'portolan-host-files-'));
after(() => rmSync(directory, { recursive: true }));

test('a lock is held until it is released', () => {
  const path = join(directory, 'host.lock');
  const first = lock(path);
  assert.throws(() => lock(path), AlreadyRunning);
  first.release();
  lock(path).release();
});

const whole = {
  format: 2,
  spec: {
    id: basename(directory),
    clusterName: 'quay',
    replicaSetName: 'platform-abc',
    majorVersion: '8.0',
    version: '8.0.29',
    members: [{ id: 'shard-00-00', shard: 0, kind: 'electable', provider: 'AWS', region: 'X', priority: 7 }],
  },
  access: { revision: 1, users: [], addresses: [] },
  ports: { 'shard-00-00': 27100 },
  paused: false,
  configVersion: 1,
  term: 1,
  primaries: ['shard-00-00'],
  decoySecret: 'AAAA',
};

async function read(record: unknown) {
  writeFileSync(join(directory, 'deployment.json'), JSON.stringify(record));
  return readRecord(directory);
}

test('rejects a damaged or newer record and names the file', async () => {
  const path = join(directory, 'deployment.json');
  writeFileSync(path, '{"format": 2, "sp');
  await assert.rejects(readRecord(directory), { message: `${path} is damaged` });
  await assert.rejects(read({ format: 3 }), { message: `${path} has the format 3, not 2` });
  for (const record of [null, 7, 'x', [], {}, { format: 2 }]) {
    await assert.rejects(read(record), { message: `${path} is damaged` }, JSON.stringify(record));
  }
});

test('rejects a record if any part is missing or invalid, and only then', async () => {
  const message = /deployment\.json is damaged$/;
  for (const name of Object.keys(whole).filter((each) => each !== 'format')) {
    for (const value of [undefined, null, 'x'.repeat(Number(name !== 'decoySecret')) || 7, [null]]) {
      await assert.rejects(read({ ...whole, [name]: value }), { message }, `${name} ${value}`);
    }
  }
  for (const port of [0, -1, 65_536, 1.5, '27100']) {
    await assert.rejects(read({ ...whole, ports: { 'shard-00-00': port } }), { message }, String(port));
  }
  const { members, ...spec } = whole.spec;
  await assert.rejects(read({ ...whole, spec }), { message });
  await assert.rejects(read({ ...whole, spec: { ...spec, members: [null] } }), { message });
  assert.deepEqual(await read(whole), whole);
  const { primaries: _, ...former } = { ...whole, format: 1 };
  assert.deepEqual(await read({ ...former, primary: 'shard-00-00' }), whole);
});

test('rejects a record of another deployment: both would have the same ports and data', async () => {
  await assert.rejects(read({ ...whole, spec: { ...whole.spec, id: 'other' } }), {
    message: `${join(directory, 'deployment.json')} belongs to another deployment, other`,
  });
});
