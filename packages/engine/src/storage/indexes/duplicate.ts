import { describe } from '../../bson/describe.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { KeyTuple } from '../../language/index-keys.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { keyOf, textOf, visitKeyTuples } from './tuples.ts';

/** Creates the error for a document whose key exists already in a unique index. */
export function duplicateKey(
  namespace: string,
  index: IndexDefinition,
  doc: RawDocument,
  key: Uint8Array,
): ServerError {
  const wanted = textOf(key);
  let tuple: KeyTuple = [];
  visitKeyTuples(index, doc, (one) => {
    if (tuple.length === 0 && textOf(keyOf(index, one)) === wanted) tuple = one;
  });
  const names = [...index.key].map(({ name }) => name);
  const values = names.flatMap((name, i) => (tuple[i] === undefined ? [] : [[name, tuple[i]] as const]));
  return duplicateOf(namespace, index.name, index.key, values);
}

function duplicateOf(
  namespace: string,
  name: string,
  keyPattern: RawDocument,
  values: ReadonlyArray<readonly [string, Value]>,
): ServerError {
  const shown = values.map(([field, value]) => `${field}: ${describe(value)}`).join(', ');
  return new ServerError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: { ${shown} }`,
    { keyPattern, keyValue: Object.fromEntries(values) },
  );
}
