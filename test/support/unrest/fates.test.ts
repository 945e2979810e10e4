import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learn, type Outcome, type Thing } from './fates.ts';
import { kinds } from './kinds.ts';

/** What a thing may be after these calls, each with what it wanted and what came of it. */
function after(...calls: readonly (readonly [wanted: string | undefined, outcome: Outcome])[]) {
  const [kind] = kinds;
  assert.ok(kind);
  const thing: Thing = {
    kind,
    name: 'x',
    busy: false,
    fates: new Set([undefined]),
    late: new Set(),
    made: { sure: 0, unsure: 0 },
  };
  for (const [wanted, outcome] of calls) learn(thing, wanted, outcome);
  return { fates: [...thing.fates].sort(), made: thing.made };
}

test('what was acknowledged is all that a thing may be', () => {
  assert.deepEqual(after(['3', 'done']), { fates: ['3'], made: { sure: 1, unsure: 0 } });
  assert.deepEqual(after(['3', 'done'], ['5', 'done']), { fates: ['5'], made: { sure: 1, unsure: 0 } });
  assert.deepEqual(after(['3', 'done'], [undefined, 'done']).fates, [undefined]);
  assert.deepEqual(after(['3', 'done'], [undefined, 'done'], ['5', 'done']).made, { sure: 2, unsure: 0 });
});

test('a refusal changes nothing, and a call without an answer leaves both', () => {
  assert.deepEqual(after(['3', 'done'], ['5', 'refused']).fates, ['3']);
  assert.deepEqual(after(['3', 'done'], ['5', 'unknown']).fates, ['3', '5']);
  assert.deepEqual(after(['3', 'done'], [undefined, 'unknown']).fates, ['3', undefined]);
  assert.deepEqual(after(['3', 'unknown']), { fates: ['3', undefined], made: { sure: 0, unsure: 1 } });
});

test('a call without an answer may be carried out behind a later one', () => {
  assert.deepEqual(after(['3', 'done'], ['5', 'unknown'], ['7', 'done']).fates, ['5', '7']);
  assert.deepEqual(after(['3', 'unknown'], ['5', 'done']), {
    fates: ['3', '5'],
    made: { sure: 1, unsure: 1 },
  });
});
