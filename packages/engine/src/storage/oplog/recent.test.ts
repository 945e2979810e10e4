import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { RecentEntries, type RecentEntry } from './recent.ts';

const at = (position: number, collection: string): RecentEntry => ({
  position,
  op: 'i',
  database: 'shop',
  collection,
});
const ofShips = ({ collection }: RecentEntry) => collection === 'ships';

suite('recent entries', () => {
  test('knows no earlier entries', () => {
    const recent = new RecentEntries(7);
    assert.equal(recent.mayHave(7, ofShips), true);
    assert.equal(recent.mayHave(8, ofShips), false);
  });

  test('lets the stream of another collection skip a million entries', () => {
    const recent = new RecentEntries(0);
    recent.add(at(1, 'ships'));
    for (let position = 2; position <= 1_000_000; position++) recent.add(at(position, 'ports'));
    assert.equal(recent.mayHave(1, ofShips), true);
    assert.equal(recent.mayHave(2, ofShips), false);
  });

  test('knows only the newest entries of alternating collections', () => {
    const recent = new RecentEntries(0);
    for (let position = 1; position <= 20_000; position++) recent.add(at(position, `c${position % 2}`));
    assert.equal(recent.mayHave(1, ofShips), true);
    assert.equal(recent.mayHave(18_000, ofShips), false);
    assert.equal(
      recent.mayHave(20_000, ({ collection }) => collection === 'c0'),
      true,
    );
  });

  test('knows no entries from before a clear', () => {
    const recent = new RecentEntries(0);
    for (const position of [1, 2, 3]) recent.add(at(position, 'ports'));
    recent.clear();
    assert.equal(recent.mayHave(3, ofShips), true);
    assert.equal(recent.mayHave(4, ofShips), false);
  });

  test('removes the entries of a failed transaction', () => {
    const recent = new RecentEntries(0);
    recent.add(at(1, 'ports'));
    recent.add(at(2, 'ships'));
    recent.undo(1);
    assert.equal(recent.mayHave(1, ofShips), false);
  });

  test('undoes entries; a run keeps those from before the transaction', () => {
    const recent = new RecentEntries(0);
    for (const position of [1, 2, 3]) recent.add(at(position, 'ships'));
    recent.add(at(4, 'ports'));
    recent.undo(2);
    assert.equal(recent.mayHave(2, ofShips), true);
    assert.equal(recent.mayHave(3, ofShips), false);
    recent.undo(0);
    assert.equal(recent.mayHave(1, ofShips), false);
  });

  test('finds the interval with all wanted entries', () => {
    const recent = new RecentEntries(5);
    for (let position = 6; position <= 30; position++)
      recent.add(at(position, position % 10 === 0 ? 'ships' : 'ports'));
    assert.deepEqual(recent.spanFrom(6, ofShips), { first: 10, last: 30 });
    assert.deepEqual(recent.spanFrom(15, ofShips), { first: 20, last: 30 });
    assert.equal(recent.spanFrom(31, ofShips), undefined);
    // Entries up to position 5 are unknown.
    assert.deepEqual(recent.spanFrom(2, ofShips), { first: 2, last: 30 });
    assert.deepEqual(
      recent.spanFrom(2, () => false),
      { first: 2, last: 5 },
    );
  });
});
