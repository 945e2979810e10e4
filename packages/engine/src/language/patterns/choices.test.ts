import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Choices } from './choices.ts';

test('a stack returns its groups in reverse order, across blocks and after it was cleared', () => {
  const stack = new Choices();
  const groups = 40_000;
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < groups; i++) stack.push(i, -i, i + 1);
    assert.equal(stack.length, 3 * groups);
    for (let i = groups - 1; i >= 10; i--) {
      stack.pop();
      if (stack.first !== i || stack.second !== -i || stack.third !== i + 1) assert.fail(`${i}`);
    }
    assert.equal(stack.length, 30);
    stack.clear();
    assert.equal(stack.length, 0);
  }
});
