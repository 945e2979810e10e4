import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawDocument } from '../../../bson/raw.ts';
import { noEnvironment } from '../../../language/environment.ts';
import { failureDetails } from './details.ts';

/** Returns the details of a document with a text of `size` characters, which a validator tests 1,000 times. */
function detailsOf(size: number) {
  const validator = { $or: Array.from({ length: 1000 }, (_, i) => ({ a: `${i}` })) };
  const document = RawDocument.from({ a: 'x'.repeat(size) });
  return failureDetails(RawDocument.from(validator), document, noEnvironment);
}

test('details above 12 MiB are truncated', () => {
  assert.equal(detailsOf(12_000).operatorName, '$or');
  assert.deepEqual(detailsOf(13_000), { truncated: true });
});
