import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, suite, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import type { Bytes } from '../interface/call.ts';
import { idleSample } from '../interface/testing.ts';
import { Journal } from '../observe/journal.ts';
import { RecordReader } from './record-reader.ts';
import { Samples } from './samples.ts';

const directory = mkdtempSync(join(tmpdir(), 'portolan-records-'));
const reader = new RecordReader(silentLog());
after(async () => {
  await reader.stop();
  rmSync(directory, { recursive: true });
});

const members = ['m0', 'm1'].map((id, index) => ({ id, host: '127.0.0.1', port: 27_100 + index }));
const NOW = Date.UTC(2026, 0, 1);
const shared = idleSample(NOW, { disk: { used: 1, free: 2, total: 3 } });
const LINES = 20_000;

function journalOf(id: string): Journal {
  const journal = new Journal(join(directory, id));
  journal.configure(0, members, undefined);
  return journal;
}

const never = new AbortController().signal;

const readAll = (bytes: Bytes): Promise<Uint8Array[]> => Readable.from(bytes).toArray();

suite('records', () => {
  test('are read in a thread: values encoded, logs in pieces', async () => {
    const journal = journalOf('read');
    const event = { member: 'm0', s: 'I', c: 'CONTROL', id: 1, ctx: 'main', msg: 'x'.repeat(50) } as const;
    for (let i = 0; i < LINES; i++) journal.log(NOW + i, event);
    journal.sample(shared);
    const of = { folder: journal.folder, now: NOW };
    const written = JSON.parse(await reader.value('newestWritten', of, []));
    assert.deepEqual(written[1].samples[0].disk, shared.disk);
    const [samples] = await readAll(reader.bytes('metrics', of, ['m1', NOW, NOW], never));
    assert.deepEqual(JSON.parse(String(Buffer.from(samples ?? []))).disk, shared.disk);
    const pieces = await readAll(reader.bytes('logs', of, ['m0', 'db', 0, NOW + LINES], never));
    assert.ok(pieces.length > 5);
    assert.equal(Buffer.concat(pieces).toString().trim().split('\n').length, LINES);
  });

  test('are closed when abandoned, and the thread ends when idle', async () => {
    const journal = journalOf('left');
    const event = { member: 'm0', s: 'I', c: 'CONTROL', id: 1, ctx: 'main', msg: 'x'.repeat(50) } as const;
    for (let i = 0; i < LINES; i++) journal.log(NOW + i, event);
    const of = { folder: journal.folder, now: NOW };
    const bytes = reader.bytes('logs', of, ['m0', 'db', 0, NOW + LINES], never);
    await bytes.next();
    // Call this twice. The first call only finds that the reader was used since the previous call.
    for (let turn = 0; turn < 2; turn++) await reader.endIfIdle();
    assert.equal((await bytes.next()).done, false, 'a transfer under way keeps the thread');
    await bytes.return(undefined);
    for (let turn = 0; turn < 2; turn++) await reader.endIfIdle();
    assert.equal(await reader.value('newestWritten', of, []), '[]', 'another is started when needed');
  });

  test('that are unreadable fail the call', async () => {
    const of = { folder: 7 as never, now: NOW };
    await assert.rejects(reader.value('newestWritten', of, []), /path/);
    await assert.rejects(readAll(reader.bytes('metrics', of, ['m0', 0, NOW], never)), /path/);
  });
});

suite('the newest samples', () => {
  const timesOf = (found: readonly { readonly samples: readonly { time: number }[] }[]) =>
    found.map(({ samples }) => samples.map(({ time }) => time));

  test('of all members are available at once, including those of an earlier host', async () => {
    const earlier = journalOf('a');
    for (const time of [NOW, NOW + 10]) earlier.sample({ ...shared, time, taken: time });
    const journals = new Map([
      ['a', journalOf('a')],
      ['b', journalOf('b')],
    ]);
    let reads = 0;
    const counting: Pick<RecordReader, 'value'> = {
      value: (...args) => {
        reads++;
        return reader.value(...args);
      },
    };
    const samples = new Samples(() => journals, counting);
    assert.deepEqual(timesOf(await samples.newest()), [[NOW, NOW + 10], [NOW, NOW + 10], [], []]);
    journals.get('a')?.sample({ ...shared, time: NOW + 20, taken: NOW + 20 });
    journals.get('b')?.sample({ ...shared, time: NOW + 20, taken: NOW + 20 });
    const all = await samples.newest();
    assert.deepEqual(timesOf(all), [
      [NOW, NOW + 10, NOW + 20],
      [NOW, NOW + 10, NOW + 20],
      [NOW + 20],
      [NOW + 20],
    ]);
    assert.deepEqual(
      all.map(({ id, memberId }) => [id, memberId]),
      [
        ['a', 'm0'],
        ['a', 'm1'],
        ['b', 'm0'],
        ['b', 'm1'],
      ],
    );
    assert.equal(reads, 2, 'each file is read once');
    assert.deepEqual(timesOf(await samples.newest(['b', 'gone'])), [[NOW + 20], [NOW + 20]]);
  });
});
