import { bsonTypes } from '../../bson/bson-types.ts';
import { encodeCompoundKey } from '../../bson/keys.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { minKey, nullValue, string, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { KeyTuple } from '../../language/index-keys.ts';
import { compileProjection, type Projection } from '../../language/projection/index.ts';
import { type DocumentKeys, documentIn, type IndexDefinition } from '../model/index-definition.ts';
import type { MultikeyPaths } from '../model/multikey.ts';
import { DistinctKeys, type KeyMemory, visitKeyTuples } from './tuples.ts';

const undefinedValue = new Value(bsonTypes.undefined, nullValue.bytes, 0, 0);

/** Returns the keys of a document in a wildcard index. */
export function wildcardKeys(index: IndexDefinition, doc: RawDocument, memory: KeyMemory): DocumentKeys {
  const found = new DistinctKeys(memory);
  const arrays = visitWildcardTuples(index, doc, (tuple) => found.add(wildcardKeyOf(index, tuple)));
  if (arrays.size === 0) return { keys: found.keys };
  return { keys: found.keys, multikey: withArraysBelow(index), arrayPaths: arrays };
}

/**
 * Visits the values from which the keys of a document in a wildcard index are built: the path and value of each field,
 * except embedded documents. In a compound index, the values of the other parts come before and after them. If the
 * document has fields of these parts, but none that the wildcard covers, path and value are MinKey, as on the reference
 * server. Returns the paths of the arrays.
 */
export function visitWildcardTuples(
  index: IndexDefinition,
  doc: RawDocument,
  visit: (tuple: KeyTuple) => void,
): ReadonlySet<string> {
  const at = index.parts.findIndex(({ wildcard }) => wildcard);
  const { values: others, present } = valuesAround(index, doc, at);
  let isCovered = false;
  const add = (path: string, value: Value) => {
    isCovered = true;
    visit([...others.slice(0, at), string(path), value, ...others.slice(at)]);
  };
  const arrays = new Set<string>();
  const collect = (value: Value, path: string, entry: boolean): void => {
    const inner = documentOf(value);
    if (value.type === bsonTypes.object && !inner.isEmpty) {
      for (const field of inner) collect(field, path === '' ? field.name : `${path}.${field.name}`, false);
    } else if (value.type === bsonTypes.array && !entry) {
      arrays.add(path);
      if (inner.isEmpty) add(path, undefinedValue);
      for (const element of inner) collect(element, path, true);
    } else if (path !== '') add(path, value);
  };
  collect(below(index, doc).toValue(), '', false);
  if (present && !isCovered) visit([...others.slice(0, at), minKey, minKey, ...others.slice(at)]);
  return arrays;
}

/** Marks the wildcard part as multikey. The paths of the arrays say which of its fields are. */
function withArraysBelow({ parts }: IndexDefinition): MultikeyPaths {
  return parts.map(({ wildcard }) => new Set(wildcard ? [0] : []));
}

interface ValuesAround {
  readonly values: KeyTuple;
  /** True if the document has at least one of the fields. */
  readonly present: boolean;
}

/** Returns the values of all parts except the wildcard part. Throws if one of their paths contains an array. */
function valuesAround(index: IndexDefinition, doc: RawDocument, at: number): ValuesAround {
  if (index.parts.length === 1) return { values: [], present: false };
  const parts = index.parts.filter((_, i) => i !== at);
  let present = false;
  for (const { path } of parts) if (isPresent(doc, path.text)) present = true;
  const others = Object.create(index, { parts: { value: parts }, kind: { value: 'ordinary' } });
  let values: KeyTuple = [];
  visitKeyTuples(others, doc, (tuple) => {
    values = tuple;
  });
  return { values, present };
}

/** Throws if the path contains an array, which only the wildcard part of an index may cover. */
function isPresent(doc: RawDocument, path: string): boolean {
  let within = doc;
  const steps = path.split('.');
  for (const [i, step] of steps.entries()) {
    const value = within.get(step);
    if (value?.type === bsonTypes.array) {
      throw new ServerError(7246301, `The field '${path}' of a compound wildcard index cannot be an array`);
    }
    if (i === steps.length - 1) return value !== undefined;
    if (value?.type !== bsonTypes.object) return false;
    within = documentOf(value);
  }
  return false;
}

/** Encodes a key. Before the value of the wildcard part, the key contains the path, always in ascending order. */
export function wildcardKeyOf({ parts }: IndexDefinition, values: readonly Value[]): Uint8Array {
  const at = parts.findIndex(({ wildcard }) => wildcard);
  const directions = parts.map(({ direction }) => direction);
  return encodeCompoundKey(values, directions.toSpliced(at, 0, 1));
}

const projections = new WeakMap<RawDocument, Projection>();

/** Returns the part of a document that the index covers. */
function below(index: IndexDefinition, doc: RawDocument): RawDocument {
  let projection = projections.get(index.spec);
  if (projection === undefined) {
    projection = compileProjection(fieldsOf(index));
    projections.set(index.spec, projection);
  }
  return projection.apply(doc);
}

/** Returns the projection of a wildcard index. It excludes `_id` unless the index names it. */
export function fieldsOf({ parts, spec }: IndexDefinition): RawDocument {
  const path = parts.find(({ wildcard }) => wildcard)?.path.text ?? '';
  if (path === '_id' || path.startsWith('_id.')) return RawDocument.from({ [path]: 1 });
  if (path !== '') return RawDocument.from({ [path]: 1, _id: 0 });
  const projection = documentIn(spec, 'wildcardProjection') ?? RawDocument.empty;
  return projection.has('_id') ? projection : RawDocument.from({ ...projection.toObject(), _id: 0 });
}
