import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Recent } from './recent.ts';

const never = () => false;
const isOwn = ({ database }: { database: string }) => database === 'own';

function filled(count: number): Recent {
  const recent = new Recent(100);
  for (let i = 1; i <= count; i++) recent.add({ position: 100 + i, database: 'other', collection: 'c' });
  return recent;
}

describe('the traces of the newest entries', () => {
  it('tell whether there is something from a position on', () => {
    const recent = filled(10);
    assert.equal(recent.some(101, isOwn), false);
    recent.add({ position: 111, database: 'own', collection: 'c' });
    assert.equal(recent.some(101, isOwn), true);
    assert.equal(recent.some(112, isOwn), false);
  });

  it('do not know what was before them', () => assert.equal(filled(3).some(100, never), true));

  it('are few, and say that they do not know of those that have gone', () => {
    const recent = filled(10_000);
    assert.equal(recent.some(101, never), true);
    assert.equal(recent.some(9_500, never), false);
    recent.clear();
    assert.equal(recent.some(9_500, never), true);
    assert.equal(recent.some(10_101, never), false);
  });

  it('go with a transaction that fails', () => {
    const recent = filled(5);
    recent.add({ position: 106, database: 'own', collection: 'c' });
    recent.undo(105);
    assert.equal(recent.some(101, isOwn), false);
  });
});
