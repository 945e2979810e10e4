import type { RawDocument } from '../../bson/raw.ts';
import type { ServerError } from '../../errors/server-error.ts';
import { type KeyTuple, visitTuples } from '../index-keys.ts';
import type { Path } from '../paths.ts';

/** Returns all index entries of a document for the paths. */
export function keyTuples(paths: readonly Path[], doc: RawDocument, parallel: () => ServerError): KeyTuple[] {
  const tuples: KeyTuple[] = [];
  visitTuples(paths, doc, { visit: (tuple) => void tuples.push(tuple), parallel });
  return tuples;
}
