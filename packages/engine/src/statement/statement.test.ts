import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WatchedStatement } from './statement.ts';

describe('a statement', () => {
  it('polls at one of sixteen checks, and at every check after a pause', () => {
    const statement = new WatchedStatement();
    let looks = 0;
    statement.watch(() => looks++);
    for (let i = 0; i < 32; i++) statement.check();
    assert.equal(looks, 2);
    statement.checkNow();
    assert.equal(looks, 3);
  });

  it('returns the previous callback, and does nothing without one', () => {
    const statement = new WatchedStatement();
    const looked: string[] = [];
    const outer = () => looked.push('outer');
    assert.equal(statement.watch(outer), undefined);
    assert.equal(statement.watch(undefined), outer);
    statement.checkNow();
    statement.watch(outer);
    statement.checkNow();
    assert.deepEqual(looked, ['outer']);
  });

  it('is independent of other statements', () => {
    const [one, other] = [new WatchedStatement(), new WatchedStatement()];
    one.watch(() => assert.fail('the statement of another thread was checked'));
    other.checkNow();
  });
});
