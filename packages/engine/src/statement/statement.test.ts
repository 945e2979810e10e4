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

  it('calls the callback within bounds, and outside of them runs other statements without the bounds', () => {
    const statement = new WatchedStatement();
    let looks = 0;
    statement.watch(() => looks++);
    const bounds = { checks: 32, bytes: 1_000 };
    const within = statement.within(bounds, () => {
      statement.checkNow();
      statement.aside(() => {
        for (let i = 0; i < 10; i++) statement.checkNow();
        statement.hold(10_000, 'another statement');
        statement.held = 0;
      });
      statement.checkNow();
      return 'done';
    });
    assert.deepEqual([within, looks], ['done', 2]);
    const beyond = statement.within(bounds, () => {
      for (let i = 0; i < 3; i++) statement.checkNow();
    });
    assert.deepEqual([beyond, looks], [undefined, 4]);
  });
});
