import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { SnapshotFrame } from '../interface/snapshot.ts';
import { partsOfPosition } from '../storage/oplog/position.ts';
import { type Contents, History, loads, tryHistory } from './testing-history.ts';

test('restores a cluster to each point in time from a snapshot and the oplog', async () => {
  let moments = 0;
  const property = fc.asyncProperty(loads, async (steps) => {
    moments += await tryHistory(steps, 4);
  });
  await fc.assert(property, { numRuns: 15 });
  assert.ok(moments >= 50, `${moments}`);
});

const documents = (contents: Contents, name: string) =>
  (contents[`test.${name}`] as { documents: readonly string[] } | undefined)?.documents.length;

suite('the replay of an oplog', () => {
  let history: History;
  before(async () => {
    history = new History();
    await history.begin();
  });
  after(() => history.end());

  const insert = (name: string, count: number, more: object = {}) => {
    const rows = Array.from({ length: count }, (_, _id) => ({ _id, ...more }));
    history.command({ insert: name, documents: rows });
  };

  test('ends inside a run of inserts', async () => {
    const first = history.last + 1;
    insert('run', 20);
    await history.archive();
    for (const count of [1, 7, 20]) {
      const contents = await history.restored(partsOfPosition(first + count));
      assert.equal(documents(contents, 'run'), count);
    }
    assert.equal(documents(await history.restored(partsOfPosition(first)), 'run'), 0);
    assert.equal(documents(await history.restored(partsOfPosition(first - 1)), 'run'), undefined);
    // No entry has an increment of 2^31 - 1, so the position is after all entries of that second.
    const { seconds } = partsOfPosition(first);
    const contents = await history.restored({ seconds, increment: 2 ** 31 - 1 });
    assert.equal(documents(contents, 'run'), 20);
  });

  test('restores the options of collections', async () => {
    history.command({ create: 'byId', clusteredIndex: { key: { _id: 1 }, unique: true } });
    history.command({ create: 'measurements', timeseries: { timeField: 'at' } });
    history.command({ create: 'validated', validator: { n: { $gt: 0 } } });
    history.remember();
    await history.archive();
    const { contents } = history.moments.at(-1) ?? {};
    assert.deepEqual(await history.restored(partsOfPosition(history.last)), contents);
  });

  test('restores a transaction of several entries entirely or not at all', async () => {
    insert('whole', 1);
    const before = history.last;
    const text = 'x'.repeat(6_000_000);
    const inserts = Array.from({ length: 5 }, (_, n) => ({
      insert: 'whole',
      documents: [{ _id: `large ${n}`, text }],
    }));
    history.transaction(inserts, true);
    const end = history.last;
    assert.ok(end > before + 1, 'more than one entry');
    await history.archive();
    for (let at = before; at < end; at++)
      assert.equal(documents(await history.restored(partsOfPosition(at)), 'whole'), 1, `${at - before}`);
    assert.equal(documents(await history.restored(partsOfPosition(end)), 'whole'), 6);
  });

  test('rejects an oplog that is incomplete, repeated, damaged or of another history', async () => {
    insert('last', 3);
    await history.archive();
    const frames = history.framesUntil(partsOfPosition(history.last));
    const at = (kind: string) => frames.findIndex((frame) => frame.kind === kind);
    const without = (index: number) => frames.filter((_, i) => i !== index);
    const changed = (index: number, change: object) =>
      frames.map((frame, i) => (i === index ? ({ ...frame, ...change } as SnapshotFrame) : frame));
    const [first] = frames;
    assert.ok(first?.kind === 'head' && first.head.replay);
    const segment = frames[at('oplog')];
    assert.ok(segment?.kind === 'oplog');
    const elsewhere = { ...first.head.replay, after: { ...first.head.replay.after, digest: '0'.repeat(64) } };
    const cases: ReadonlyArray<readonly [readonly SnapshotFrame[], RegExp]> = [
      [frames.slice(0, -1), /the oplog is truncated/],
      [without(frames.length - 2), /the oplog is truncated/],
      [
        [...frames.slice(0, at('oplog') + 1), ...frames.slice(at('oplog'))],
        /does not continue the previous one/,
      ],
      [changed(at('oplog'), { segment: { ...segment.segment, hash: '0'.repeat(64) } }), /segment 0{64} of/],
      [changed(0, { head: { ...first.head, replay: elsewhere } }), /does not continue the previous one/],
      [
        changed(at('oplog'), { segment: { ...segment.segment, after: elsewhere.after } }).with(0, {
          ...first,
          head: { ...first.head, replay: elsewhere },
        }),
        /does not continue the snapshot/,
      ],
      [without(at('oplog')), /does not continue the previous one/],
    ];
    for (const [sent, reason] of cases) await assert.rejects(history.staged(sent), reason);
  });
});
