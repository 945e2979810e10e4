import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type CodeName, ServerError } from './server-error.ts';

const documented: readonly (readonly [CodeName, number])[] = [
  ['CannotBackfillArray', 34],
  ['InvalidRoleModification', 49],
  ['ShardKeyNotFound', 61],
  ['CursorInUse', 143],
  ['CollectionIsEmpty', 162],
  ['FailPointSetFailed', 266],
  ['TransactionTooLargeForCache', 388],
  ['MergeStageNoMatchingDocument', 13113],
  ['IDLDuplicateField', 40413],
  ['IDLFailedToParse', 40414],
  ['IDLUnknownField', 40415],
  ['NotARetryableWriteCommand', 50768],
];

for (const [name, code] of documented) {
  it(`${name} has the code ${code}, and the code has this name`, () => {
    assert.equal(new ServerError(name, '').code, code);
    assert.equal(new ServerError(code, '').codeName, name);
  });
}

it('a code without a documented name is a location', () => {
  assert.equal(new ServerError(40602, '').codeName, 'Location40602');
});
