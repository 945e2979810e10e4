import { bsonTypes } from '../../bson/bson-types.ts';
import { encodeKey } from '../../bson/keys.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue, type Value } from '../../bson/value.ts';
import { checkGeoKeys } from '../../language/geo/keys.ts';
import { pathOf, someValueAt } from '../../language/paths.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import type { DocumentKeys, IndexDefinition, IndexPart } from '../model/index-definition.ts';
import { notMultikey } from '../model/multikey.ts';
import { furtherCollatedTypes, furtherTypes, type ValueTypes } from '../model/value-types.ts';
import { distinct, foldedBy, keyOfFolded, tuplesOf } from './tuples.ts';
import { wildcardKeys } from './wildcard-keys.ts';

const none: DocumentKeys = { keys: [] };

/** Returns the keys of a document in an index, or none if the index is sparse or partial and excludes the document. */
export function documentKeys(
  index: IndexDefinition,
  doc: RawDocument,
  statement: Statement = unwatched,
): DocumentKeys {
  if (index.partial?.matches(doc) === false) return none;
  if (index.kind === 'wildcard') return wildcardKeys(index, doc);
  if (index.isGeographic) return geoKeys(index, doc, statement);
  if (index.sparse && index.parts.every((part) => isMissing(part, doc))) return none;
  let multikey: Set<number>[] | undefined;
  const tuples = tuplesOf(index, doc, (part, depth) => {
    multikey ??= notMultikey(index.parts.length) as Set<number>[];
    multikey[part]?.add(depth);
  });
  let values: readonly Value[] = [];
  const keys = tuples.map((tuple) => {
    statement.check();
    values = foldedBy(index, tuple);
    return keyOfFolded(index, values);
  });
  if (multikey !== undefined) return { keys: distinct(keys), multikey };
  // Without arrays, there is one tuple.
  const types = index.types && furtherTypesOf(index, index.types, values);
  return types === undefined ? { keys } : { keys, types };
}

function furtherTypesOf({ fold }: IndexDefinition, known: ValueTypes, values: readonly Value[]) {
  return fold === undefined ? furtherTypes(known, values) : furtherCollatedTypes(known, values);
}

/**
 * Returns the key of a document in a geospatial index: one per document that has a location. The location itself is
 * read from the document.
 */
function geoKeys({ spec, key }: IndexDefinition, doc: RawDocument, statement: Statement): DocumentKeys {
  checkGeoKeys(spec, doc, statement);
  const names = [...key].filter(({ type }) => type === bsonTypes.string).map(({ name }) => name);
  const present = names.some((name) => someValueAt(pathOf(name), doc, isThere));
  return present ? geoKey : none;
}

const geoKey: DocumentKeys = { keys: [encodeKey(nullValue)] };

function isThere(value: Value | undefined): boolean {
  return value !== undefined && value.type !== bsonTypes.null && value.type !== bsonTypes.undefined;
}

function isMissing({ path }: IndexPart, doc: RawDocument): boolean {
  return !someValueAt(path, doc, (value) => value !== undefined);
}
