import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CountWindow } from './count-window.ts';

test('each count can be used once, in any order within the window', () => {
  const window = new CountWindow();
  for (const count of [3, 1, 2, 1024, 7, 1025]) assert.equal(window.use(count), true, `first ${count}`);
  for (const count of [1, 2, 3, 7, 1024, 1025]) assert.equal(window.use(count), false, `second ${count}`);
});

test('a count below the window is rejected', () => {
  const window = new CountWindow();
  assert.equal(window.use(2000), true);
  assert.equal(window.use(2000 - 1024), false);
  assert.equal(window.use(2000 - 1023), true);
  assert.equal(window.use(2000 - 1023), false);
});

test('the window works up to the highest possible count', () => {
  const window = new CountWindow();
  assert.equal(window.use(1), true);
  assert.equal(window.use(0xffffffff), true);
  assert.equal(window.use(0xffffffff), false);
  assert.equal(window.use(0xfffffffe), true);
  assert.equal(window.use(1), false);
});

test('any sequence gives the same results as a set of all counts', () => {
  const steps = fc.array(
    fc.oneof(fc.integer({ min: -1100, max: 40 }), fc.integer({ min: 1000, max: 1100 })),
    {
      maxLength: 300,
    },
  );
  fc.assert(
    fc.property(steps, (offsets) => {
      const window = new CountWindow();
      const used = new Set<number>();
      let highest = 0;
      for (const offset of offsets) {
        const count = Math.max(1, highest + offset);
        const expected = count > highest - 1024 && !used.has(count);
        assert.equal(window.use(count), expected);
        used.add(count);
        highest = Math.max(highest, count);
      }
    }),
  );
});
