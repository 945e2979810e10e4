import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import { compileFilter } from './index.ts';
import { compiledFilter } from './stored-filters.ts';

/** Returns a definition, and how often it was compiled. */
function stored(size: number) {
  const filter = RawDocument.from({ a: { $ne: 'x'.repeat(size) } });
  const made = {
    count: 0,
    use: () =>
      compiledFilter(filter, () => {
        made.count++;
        return compileFilter(filter);
      }),
  };
  return made;
}

it('compiled filters are kept as long as all of them need little memory', () => {
  const small = stored(100);
  for (const _ of [1, 2, 3]) small.use();
  assert.equal(small.count, 1);
  const large = Array.from({ length: 20 }, () => stored(100_000));
  for (const each of large) each.use();
  for (const each of large) each.use();
  assert.ok(large.every(({ count }) => count === 2));
  small.use();
  assert.equal(small.count, 2);
  const huge = stored(2_000_000);
  for (const _ of [1, 2]) huge.use();
  assert.equal(huge.count, 2);
});
