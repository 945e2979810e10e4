import { bsonTypes } from '../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../bson/raw.ts';
import { textOf, type Value } from '../bson/value.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { coversField } from './candidates.ts';
import { digest } from './explain-shape.ts';
import type { PlanStage } from './stages.ts';
import { isUsable } from './usable.ts';

/**
 * Returns the key under which a plan is cached: a hash of the plan's shape and of the indexes on the fields of the
 * filter, in 8 hexadecimal digits. An index that lacks documents counts only if it is among the `planned` indexes: the
 * values of the filter decide whether it contains all matching documents.
 */
export function planCacheKey(
  shapeHash: string,
  filter: RawDocument | undefined,
  collection: Collection | undefined,
  planned: ReadonlySet<string>,
): string {
  const paths = new Set(pathsOf(filter ?? RawDocument.empty));
  const indexes =
    collection?.indexes.filter(
      (index) =>
        isUsable(index, collection) &&
        isOn(index, paths) &&
        (!lacksDocuments(index) || planned.has(index.name)),
    ) ?? [];
  return digest(['plan cache key', shapeHash, ...indexes.map(describe).toSorted()]).slice(0, 8);
}

export function lacksDocuments({ partial, sparse }: IndexDefinition): boolean {
  return partial !== undefined || sparse;
}

interface Plans {
  readonly top: PlanStage;
  readonly rejected?: readonly PlanStage[];
}

/** Returns the names of the indexes that the chosen plan and the rejected ones read. */
export function plannedIndexes({ top, rejected = [] }: Plans): ReadonlySet<string> {
  return new Set([top, ...rejected].flatMap((plan) => [...indexNamesOf(plan)]));
}

function* indexNamesOf({ details, input, inputs = [] }: PlanStage): Generator<string> {
  if (typeof details.indexName === 'string') yield details.indexName;
  for (const below of input === undefined ? inputs : [input]) yield* indexNamesOf(below);
}

/** True if the index has keys for one of the paths. */
function isOn(index: IndexDefinition, paths: ReadonlySet<string>): boolean {
  if (index.parts.some((part) => !part.wildcard && paths.has(part.path.text))) return true;
  return index.kind === 'wildcard' && [...paths].some((path) => coversField(index, path));
}

/** Describes all properties of an index except its name. */
function describe({ spec }: IndexDefinition): string {
  return JSON.stringify({ ...spec.toObject(), name: undefined });
}

/** Returns the paths on which a filter sets conditions. */
function* pathsOf(filter: RawDocument, prefix = ''): Generator<string> {
  for (const field of filter) {
    const { name, type } = field;
    if (name === '$expr') yield* pathsIn(field);
    else if (name.startsWith('$') && type === bsonTypes.array) {
      for (const entry of entriesOf(field)) {
        if (entry.type === bsonTypes.object) yield* pathsOf(documentOf(entry), prefix);
      }
    } else if (!name.startsWith('$')) {
      yield prefix + name;
      if (type === bsonTypes.object) yield* pathsInOperators(documentOf(field), prefix + name);
    }
  }
}

/** Returns the paths below a field on which the operators for the field set conditions. */
function* pathsInOperators(operators: RawDocument, path: string): Generator<string> {
  for (const operator of operators) {
    if (operator.type !== bsonTypes.object) continue;
    if (operator.name === '$elemMatch') yield* pathsOf(documentOf(operator), `${path}.`);
    if (operator.name === '$not') yield* pathsInOperators(documentOf(operator), path);
  }
}

/** Returns the paths of the fields that an expression reads. */
function* pathsIn(expression: Value): Generator<string> {
  if (expression.type === bsonTypes.string) {
    const text = textOf(expression);
    if (text.startsWith('$') && !text.startsWith('$$')) yield text.slice(1);
  } else if (expression.type === bsonTypes.array) {
    for (const entry of entriesOf(expression)) yield* pathsIn(entry);
  } else if (expression.type === bsonTypes.object) {
    for (const operand of documentOf(expression)) yield* pathsIn(operand);
  }
}
