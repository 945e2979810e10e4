import { bsonTypes } from '../../bson/bson-types.ts';
import { encodeKey } from '../../bson/keys.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue, type Value } from '../../bson/value.ts';
import { checkGeoKeys, isGeometry } from '../../language/geo/keys.ts';
import type { KeyTuple } from '../../language/index-keys.ts';
import { pathOf, someValueAt, someWholeAt } from '../../language/paths.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import type { DocumentKeys, IndexDefinition, IndexPart } from '../model/index-definition.ts';
import { notMultikey } from '../model/multikey.ts';
import { furtherCollatedTypes, furtherTypes, type ValueTypes } from '../model/value-types.ts';
import { DistinctKeys, foldedBy, KeyMemory, keyOfFolded, visitKeyTuples } from './tuples.ts';
import { wildcardKeys } from './wildcard-keys.ts';

const none: DocumentKeys = { keys: [] };

/** Returns the keys of a document in an index, or none if the index is sparse or partial and excludes the document. */
export function documentKeys(
  index: IndexDefinition,
  doc: RawDocument,
  statement: Statement = unwatched,
  memory = new KeyMemory(),
): DocumentKeys {
  if (index.partial?.matches(doc) === false) return none;
  if (index.kind === 'wildcard') return wildcardKeys(index, doc, memory);
  if (index.isGeographic) return geoKeys(index, doc, statement);
  if (index.sparse && index.parts.every((part) => isMissing(part, doc))) return none;
  let multikey: Set<number>[] | undefined;
  let types: ValueTypes | undefined;
  let key: Uint8Array | undefined;
  let found: DistinctKeys | undefined;
  const visit = (tuple: KeyTuple) => {
    statement.check();
    const values = foldedBy(index, tuple);
    key = keyOfFolded(index, values);
    const known = types ?? index.types;
    types = (known && furtherTypesOf(index, known, values)) ?? types;
    if (multikey === undefined) {
      memory.add(key.length);
      return;
    }
    found ??= new DistinctKeys(memory);
    found.add(key);
  };
  visitKeyTuples(index, doc, visit, (part, depth) => {
    multikey ??= notMultikey(index.parts.length) as Set<number>[];
    multikey[part]?.add(depth);
  });
  const typed = types === undefined ? {} : { types };
  if (multikey !== undefined) return { keys: found?.keys ?? [], multikey, ...typed };
  // A document without arrays has at most one key.
  return { keys: key === undefined ? [] : [key], ...typed };
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
  const present = names.some((name) => someWholeAt(pathOf(name), doc, isGeometry));
  return present ? geoKey : none;
}

const geoKey: DocumentKeys = { keys: [encodeKey(nullValue)] };

function isMissing({ path }: IndexPart, doc: RawDocument): boolean {
  return !someValueAt(path, doc, (value) => value !== undefined);
}
