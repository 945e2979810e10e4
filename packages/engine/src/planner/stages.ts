import type { PlainObject } from '@portolan/foundation/plain-object';
import { bsonTypes } from '../bson/bson-types.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { isNumber } from '../bson/value.ts';
import { isAllKeys } from '../language/filter/bounds.ts';
import { isPoint } from '../language/filter/index.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { isMultikey } from '../storage/model/multikey.ts';
import { textsOf } from './bounds-text.ts';

/** A stage of a plan in the output of `explain`, with statistics once it has been executed. */
export interface PlanStage {
  readonly stage: string;
  readonly details: PlainObject;
  readonly input?: PlanStage;
  readonly inputs?: readonly PlanStage[];
  readonly figures: PlainObject;
  readonly nReturned: number;
}

/** Statistics of an executed scan. */
export interface Examined {
  readonly keys: number;
  readonly documents: number;
  readonly found: number;
}

/**
 * Returns the stages that read documents on a path. `conditions` is the filter that they apply to documents, and
 * `keyConditions` the filter that they apply to index keys.
 */
export function accessStage(
  path: AccessPath,
  conditions: RawDocument | undefined,
  examined: Examined,
  keyConditions?: RawDocument,
): PlanStage {
  const details = filterOf(conditions);
  const nReturned = examined.found;
  if (path.kind === 'natural') {
    return {
      stage: 'COLLSCAN',
      details: { ...details, direction: directionOf(path) },
      figures: { docsExamined: examined.documents },
      nReturned,
    };
  }
  if (path.kind === 'index' && path.covered !== undefined) {
    const scan = keysStage(path, { ...examined, documents: nReturned });
    return { ...scan, details: { ...details, ...scan.details } };
  }
  const scan = keysStage(path, examined);
  const input = { ...scan, details: { ...filterOf(keyConditions), ...scan.details } };
  return { stage: 'FETCH', details, figures: { docsExamined: examined.documents }, nReturned, input };
}

function filterOf(conditions: RawDocument | undefined) {
  return conditions === undefined || conditions.isEmpty ? {} : { filter: conditions };
}

/**
 * Returns the stage that reads a clustered collection in `_id` order. The collection stores its documents
 * under their `_id`s, so the scan examines no separate keys. Without bounds, the stage is a collection scan.
 */
export function clusteredStage(
  { reverse, intervals }: Extract<AccessPath, { kind: 'byId' }>,
  conditions: RawDocument | undefined,
  { documents, found }: Examined,
): PlanStage {
  const [low, high] = [intervals?.[0]?.low.value, intervals?.at(-1)?.high.value];
  const stage = intervals === undefined ? 'COLLSCAN' : 'CLUSTERED_IXSCAN';
  const details = {
    ...filterOf(conditions),
    direction: reverse ? 'backward' : 'forward',
    ...(low === undefined ? {} : { minRecord: low }),
    ...(high === undefined ? {} : { maxRecord: high }),
  };
  return { stage, details, figures: { docsExamined: documents }, nReturned: found };
}

function keysStage(path: AccessPath, { keys, documents }: Examined): PlanStage {
  if (path.kind === 'union' || path.kind === 'merge') {
    const inputs = path.paths.map((one) => keysStage(one, { keys: 0, documents: 0, found: 0 }));
    const merged = path.kind === 'merge' ? { sortPattern: path.sort } : undefined;
    return {
      stage: merged === undefined ? 'OR' : 'SORT_MERGE',
      details: merged ?? {},
      figures: {},
      nReturned: documents,
      inputs,
    };
  }
  // Only a multikey index can have several keys for a document. Its scan drops all keys of a document but the first.
  const several = path.kind === 'index' && hasArrays(path.index, path.field);
  const figures = {
    keysExamined: keys,
    seeks: seeksOf(path),
    dupsTested: several ? keys : 0,
    dupsDropped: several ? Math.max(keys - documents, 0) : 0,
  };
  return { stage: 'IXSCAN', details: describeKeys(path), figures, nReturned: documents };
}

/** Returns a stage that reads keys but no documents. */
export function keysOnlyStage(stage: string, path: AccessPath, keys: number): PlanStage {
  return { stage, details: describeKeys(path), figures: { keysExamined: keys }, nReturned: keys };
}

function seeksOf(path: AccessPath): number {
  if (path.kind === 'index') return Math.max(path.ranges.length, 1);
  if (path.kind === 'byId' && path.intervals?.every(isPoint)) return path.intervals.length;
  return 1;
}

function directionOf({ reverse }: AccessPath): string {
  return reverse ? 'backward' : 'forward';
}

function describeKeys(path: AccessPath): Record<string, unknown> {
  const index = path.kind === 'index' ? describeIndex(path.index, path.field) : describedId;
  return { ...index, direction: directionOf(path), indexBounds: boundsOf(path) };
}

const describedId = {
  keyPattern: { _id: 1 },
  indexName: '_id_',
  isMultiKey: false,
  multiKeyPaths: { _id: [] },
  isUnique: true,
  isSparse: false,
  isPartial: false,
  indexVersion: 2,
};

/**
 * Returns the fields of an `explain` stage that describe the index. `field` is the path that a scan of a wildcard index
 * reads.
 */
function describeIndex(index: IndexDefinition, field?: string): Record<string, unknown> {
  const collation = index.spec.document('collation');
  const prefixes = (i: number) => {
    const part = index.parts[i];
    const isField = part?.wildcard === true && field !== undefined;
    const names = isField ? field.split('.') : (part?.path.parts ?? []).map(({ name }) => name);
    const depths = isField ? index.arraysOn(field) : (index.multikey[i] ?? []);
    return [...depths].filter((depth) => depth > 0).map((depth) => names.slice(0, depth).join('.'));
  };
  const names = keyFields(index, field);
  return {
    keyPattern:
      field === undefined ? index.key : inOrder(names.map(({ name, direction }) => [name, direction])),
    indexName: index.name,
    ...(collation === undefined ? {} : { collation }),
    isMultiKey: hasArrays(index, field),
    multiKeyPaths: inOrder(names.map(({ name, part }) => [name, part === undefined ? [] : prefixes(part)])),
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partialFilter !== undefined,
    indexVersion: 2,
  };
}

/** True if a document in the index can have several keys. `field` is the path that a scan of a wildcard index reads. */
function hasArrays(index: IndexDefinition, field: string | undefined): boolean {
  return field === undefined ? isMultikey(index.multikey) : index.arraysOn(field).size > 0;
}

/** Returns a document with these fields. A JavaScript object would move a name such as `1` to its start. */
function inOrder(fields: ReadonlyArray<readonly [name: string, value: unknown]>): RawDocument {
  return writeDocument((writer) => {
    for (const [name, value] of fields)
      for (const element of new RawDocument(encodeDocument({ [name]: value }))) writer.element(element);
  });
}

interface KeyField {
  readonly name: string;
  /** The value of the field in the key pattern of the index, such as 1, -1 or `hashed`. */
  readonly direction: unknown;
  /** The position of the field among the parts of the key; undefined for `$_path` of a wildcard index. */
  readonly part: number | undefined;
}

/** Returns the fields of an index key. In a key of a wildcard index, the path comes before the value. */
export function keyFields(index: IndexDefinition, field: string | undefined): readonly KeyField[] {
  return [...index.key].flatMap((direction, part): readonly KeyField[] => {
    if (field === undefined || index.parts[part]?.wildcard !== true)
      return [{ name: direction.name, direction, part }];
    return [
      { name: '$_path', direction: 1, part: undefined },
      { name: field, direction, part },
    ];
  });
}

function boundsOf(path: AccessPath): object {
  if (path.kind === 'byId') {
    return {
      _id: path.intervals === undefined ? everything(path.reverse) : textsOf(path.intervals, path.reverse),
    };
  }
  if (path.kind !== 'index') return {};
  const { index, bounds = [], field, reverse } = path;
  return inOrder(
    keyFields(index, field).map(({ name, part }, i) => {
      const intervals = bounds[i];
      const descending = part !== undefined && index.parts[part]?.direction === -1;
      const backward = descending !== reverse;
      if (intervals === undefined || isAllKeys(intervals)) return [name, everything(backward)];
      return [name, textsOf(intervals, backward)];
    }),
  );
}

function everything(backward: boolean): string[] {
  return [backward ? '[MaxKey, MinKey]' : '[MinKey, MaxKey]'];
}

/** Returns the name of the stage for a projection. A projection of whole fields is `PROJECTION_SIMPLE`. */
export function projectionStage(projection: RawDocument, path: AccessPath): string {
  if (path.kind === 'index' && path.covered !== undefined) return 'PROJECTION_COVERED';
  const simple = [...projection].every(
    (field) =>
      !field.name.includes('.') &&
      !field.name.includes('$') &&
      (field.type === bsonTypes.bool || isNumber(field)),
  );
  return simple ? 'PROJECTION_SIMPLE' : 'PROJECTION_DEFAULT';
}
