import assert from 'node:assert/strict';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { createZstdCompress } from 'node:zlib';
import { EngineError } from '@portolan/engine/management';
import { machineClock } from '@portolan/foundation/clock';
import { systemRandom } from '@portolan/foundation/random';
import { packTar } from 'modern-tar/fs';
import type { Services } from '../resources/services.ts';
import { openTestStore } from '../store/testing.ts';
import { exportState, importState } from './archive.ts';
import { emptyNext, exchange, finishExchange, tidyStates, undoExchange } from './exchange.ts';
import { forkState } from './fork.ts';
import { type Reopen, statesOf } from './states.ts';

async function temporary(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'portolan-states-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

const reopened: Reopen = ({ apply }) => apply();

/** Creates a data directory with a store and no clusters. Returns the objects that save and restore it. */
async function opened(t: TestContext, reopen = reopened) {
  const dataDirectory = await temporary(t);
  const store = await openTestStore(t, { file: join(dataDirectory, 'portolan.sqlite') });
  const engine = {
    prepareCopy: async (to: string) => void (await mkdir(to)),
    beginCopy: async () => 'begun' as const,
    finishCopy: async () => {},
    digestClusters: async (folder: string) => {
      if (folder.includes('/torn/')) throw new EngineError('c1: database disk image is malformed');
      return [];
    },
  };
  const services = {
    ...{ store, machine: machineClock(), random: systemRandom(), version: '1.0.0' },
    secrets: { fingerprint: 'one' } as Services['secrets'],
    engines: { local: 'host' } as Services['engines'],
  };
  const states = statesOf({
    ...{ dataDirectory, engine, services, reopen },
    ownSnapshots: true,
    alone: (work) => work(),
  });
  const inState = (...path: string[]) => join(dataDirectory, 'states', ...path);
  return { dataDirectory, states, inState };
}

async function packed(folder: string, file: string): Promise<string> {
  await pipeline(packTar(folder), createZstdCompress(), createWriteStream(file));
  return file;
}

const whole = { saved: '2026-01-01T00:00:00.000Z', version: '1', fingerprint: 'f', clusters: 0, bytes: 1 };

test('an unusable state is listed with the reason, and can be deleted', async (t) => {
  const { states, inState } = await opened(t);
  await states.save('sound');
  const problems: readonly [content: string, problem: string][] = [
    ['{', 'its state.json is damaged'],
    ['null', 'its state.json is damaged'],
    ['[]', 'its state.json is damaged'],
    ['{"format":1}', 'its state.json is damaged'],
    ['{"format":2}', 'it has the format 2, not 1'],
    [JSON.stringify({ format: 1, ...whole, saved: 'nonsense' }), 'its state.json is damaged'],
    [JSON.stringify({ format: 1, ...whole, bytes: -1 }), 'its state.json is damaged'],
  ];
  for (const [content, problem] of problems) {
    await mkdir(inState('bad'));
    await writeFile(inState('bad', 'state.json'), content);
    const listed = await states.list();
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['bad', 'sound'],
    );
    assert.deepEqual(listed[0], { name: 'bad', problem });
    const refused = { code: 'STATE_CANNOT_BE_RESTORED', parameters: ['bad', problem] };
    await assert.rejects(states.restore('bad', 0), refused);
    await assert.rejects(states.compare('sound', 'bad'), refused);
    await states.remove('bad');
  }
  await mkdir(inState('bad', 'state.json'), { recursive: true });
  await mkdir(inState('empty'));
  assert.deepEqual((await states.list()).slice(0, 2), [
    { name: 'bad', problem: 'its state.json cannot be read: EISDIR' },
    { name: 'empty', problem: 'it has no state.json' },
  ]);
  await states.remove('bad');
  await states.save('empty');
  await assert.rejects(states.remove('bad'), { code: 'STATE_NOT_FOUND' });
  assert.deepEqual((await readdir(inState())).toSorted(), ['empty', 'sound']);
});

test('a state that lacks a part or contains a link is neither imported nor restored', async (t) => {
  const { dataDirectory, states, inState } = await opened(t);
  const database = inState('half', 'portolan.sqlite');
  const loseClusters = async () => {
    const file = inState('half', 'state.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...manifest, clusters: 1 }));
    await rm(inState('half', 'engine'), { recursive: true });
  };
  const harms: readonly [harm: () => Promise<unknown>, problem: string][] = [
    [() => rm(database), 'it has no file portolan.sqlite'],
    [() => truncate(database), 'its portolan.sqlite is not a database of the service'],
    [() => writeFile(database, 'x'.repeat(4096)), 'its portolan.sqlite is damaged'],
    [loseClusters, 'it has no folder engine/clusters'],
    [() => rm(inState('half', 'engine-host-id')), 'it has no file engine-host-id'],
    [
      () => symlink('state.json', inState('half', 'engine/clusters/c1')),
      'engine/clusters/c1 in it is a link',
    ],
  ];
  for (const [harm, problem] of harms) {
    await states.save('half');
    await harm();
    await assert.rejects(states.restore('half', 0), { parameters: ['half', problem] });
    const file = await packed(inState('half'), join(dataDirectory, 'half.tar.zst'));
    const message = `${file} contains an unusable state: ${problem}`;
    await assert.rejects(importState(dataDirectory, file, 'taken'), { name: 'StateError', message });
    await states.remove('half');
  }
  assert.deepEqual(await readdir(inState()), []);
});

test('a state without clusters needs no folder for them', async (t) => {
  const { states, inState } = await opened(t);
  await states.save('lean');
  await rm(inState('lean', 'engine'), { recursive: true });
  await states.restore('lean', 0);
  assert.deepEqual(await readdir(inState('lean', 'engine/clusters')), []);
});

test('a comparison reports which state has a damaged database', async (t) => {
  const { states, inState } = await opened(t);
  await states.save('sound');
  await states.save('torn');
  const file = inState('torn', 'portolan.sqlite');
  const bytes = await readFile(file);
  // Overwrites all pages except the first, which contains the schema.
  await writeFile(file, bytes.fill(0xff, 4096));
  await assert.rejects(states.compare('sound', 'torn'), {
    code: 'STATE_CANNOT_BE_RESTORED',
    parameters: ['torn', 'its portolan.sqlite is damaged'],
  });
});

test('a comparison reports which state has unreadable clusters', async (t) => {
  const { states } = await opened(t);
  await states.save('sound');
  await states.save('torn');
  for (const [name, other] of [
    ['sound', 'torn'],
    ['torn', undefined],
  ] as const) {
    await assert.rejects(states.compare(name, other), {
      code: 'STATE_CANNOT_BE_RESTORED',
      parameters: ['torn', 'its clusters cannot be read: c1: database disk image is malformed'],
    });
  }
});

test('a restore removes parts that the state lacks', async (t) => {
  const { dataDirectory, states, inState } = await opened(t);
  await states.save('bare');
  await rm(inState('bare', 'snapshots'), { recursive: true });
  await mkdir(join(dataDirectory, 'snapshots', 'c1'), { recursive: true });
  await states.restore('bare', 0);
  assert.deepEqual(await readdir(join(dataDirectory, 'snapshots')), []);
});

test('a full disk during a restore is reported as such, and nothing is left behind', async (t) => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const reasons = [full, new Error(`the engine host did not start: ${full.message}`)];
  for (const reason of reasons) {
    const { states, inState } = await opened(t, async ({ apply, undo }) => {
      await apply();
      await undo();
      throw reason;
    });
    await states.save('calm');
    await assert.rejects(states.restore('calm', 0), { name: 'StoreError', kind: 'full' });
    assert.deepEqual((await readdir(inState())).toSorted(), ['.former', 'calm']);
  }
});

test('concurrent exports to one file leave one complete file, and other files alone', async (t) => {
  const { dataDirectory, states } = await opened(t);
  await states.save('one');
  const folder = await temporary(t);
  const file = join(folder, 'q.zst');
  await writeFile(`${file}.new`, 'of somebody else');
  await Promise.all(Array.from({ length: 4 }, () => exportState(dataDirectory, 'one', file)));
  assert.deepEqual((await readdir(folder)).toSorted(), ['q.zst', 'q.zst.new']);
  assert.equal(await readFile(`${file}.new`, 'utf8'), 'of somebody else');
  await importState(dataDirectory, file, 'two');
  assert.deepEqual(await states.compare('one', 'two'), []);
});

test('a fork needs an empty target', async (t) => {
  const { dataDirectory, states } = await opened(t);
  await states.save('one');
  const folder = await temporary(t);
  await mkdir(join(folder, '.ff.new'));
  const file = join(folder, 'file');
  await writeFile(file, '');
  await assert.rejects(forkState(dataDirectory, 'one', file), {
    message: `${file} exists and is not a folder`,
  });
  const below = join(file, 'below');
  await assert.rejects(forkState(dataDirectory, 'one', below), {
    name: 'StateError',
    message: new RegExp(`^${below} cannot be created from the state one: `),
  });
  await assert.rejects(exportState(dataDirectory, 'one', below), {
    name: 'StateError',
    message: new RegExp(`^${below} cannot be written: `),
  });
  await mkdir(join(folder, 'ff'));
  await forkState(dataDirectory, 'one', join(folder, 'ff'));
  assert.deepEqual((await readdir(folder)).toSorted(), ['.ff.new', 'ff', 'file']);
  assert.ok(existsSync(join(folder, 'ff/portolan.sqlite')));
});

test('the next start completes an interrupted rollback', async (t) => {
  const dataDirectory = await temporary(t);
  const held = () => readFile(join(dataDirectory, 'portolan.sqlite'), 'utf8');
  await writeFile(join(dataDirectory, 'portolan.sqlite'), 'former');
  await writeFile(join(dataDirectory, 'engine-host-id'), 'former');
  const next = await emptyNext(dataDirectory);
  await writeFile(join(next, 'portolan.sqlite'), 'next');
  await exchange(dataDirectory);
  assert.equal(await held(), 'next');
  await writeFile(join(dataDirectory, 'portolan.sqlite-wal'), 'next');
  // Put a file in place of the folder, so that nothing can be written to the folder.
  await rm(next, { recursive: true });
  await writeFile(next, '');
  await assert.rejects(undoExchange(dataDirectory));
  await rm(next);
  await finishExchange(dataDirectory);
  await tidyStates(dataDirectory);
  assert.equal(await held(), 'former');
  assert.deepEqual((await readdir(dataDirectory)).toSorted(), [
    'engine-host-id',
    'portolan.sqlite',
    'states',
  ]);
  assert.deepEqual(await readdir(join(dataDirectory, 'states')), []);
});
