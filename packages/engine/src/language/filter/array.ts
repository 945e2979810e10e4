import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { fitsInt32 } from '../../bson/numbers/convert.ts';
import { nonNegative } from '../../bson/numbers/integers.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { keep } from '../../bson/turns.ts';
import { elementAt, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { keepParts, listed } from '../parts.ts';
import { type Path, pathOf, someValueAt } from '../paths.ts';
import { equality } from './comparison.ts';
import type { Condition, Leaf } from './filter.ts';
import { and } from './logical.ts';
import { always, type FilterContext, type OperatorTable, wholeLeaf } from './operator.ts';
import { regexLeaf } from './regex.ts';
import { nearNotAtTop } from './special.ts';

export const arrayOperators: OperatorTable = {
  $size: (operand, path, context) => {
    const size = wantedSize(operand);
    return wholeLeaf(
      '$size',
      path,
      (value) => value?.type === bsonTypes.array && hasSize(value, size),
      context,
    );
  },
  $elemMatch: compileElemMatch,
  $all: compileAll,
};

function wantedSize(operand: Value): number {
  const size = nonNegative(operand, '$size', 'BadValue');
  if (fitsInt32(size)) return Number(size);
  throw new ServerError('BadValue', `Failed to parse $size. Cannot represent as a 32-bit integer: ${size}`);
}

/** True if an array has this size. Stops reading it as soon as the result is known. */
function hasSize({ bytes, start }: Value, size: number): boolean {
  let count = 0;
  for (let entry = elementAt(bytes, start + 4); entry; entry = elementAt(bytes, entry.end)) {
    if (++count > size) return false;
  }
  return count === size;
}

function compileElemMatch(operand: Value, path: Path, context: FilterContext): Condition {
  if (operand.type !== bsonTypes.object) throw new ServerError('BadValue', '$elemMatch needs an Object');
  const inside = entryConditions(documentOf(operand), context.insideElemMatch());
  const test = 'values' in inside ? valueTest(inside.values) : documentTest(inside.documents);
  const { statement } = context.environment;
  const entry = (array: Value) => {
    const { bytes, start } = array;
    let position = 0;
    for (let at = elementAt(bytes, start + 4); at; at = elementAt(bytes, at.end)) {
      statement.check();
      if (test(at)) return position;
      position++;
    }
    return undefined;
  };
  return wholeLeaf(
    '$elemMatch',
    path,
    (value) => value?.type === bsonTypes.array && entry(value) !== undefined,
    context,
    { entry, inside },
  );
}

/**
 * Compiles the test of an array entry. Operators apply to the entry itself. Any other specification is a
 * filter on documents.
 */
export function entryTest(spec: RawDocument, context: FilterContext): (entry: Value) => boolean {
  const inside = entryConditions(spec, context);
  return 'values' in inside ? valueTest(inside.values) : documentTest(inside.documents);
}

function entryConditions(spec: RawDocument, context: FilterContext): NonNullable<Leaf['inside']> {
  if (isAboutValues(spec, context)) {
    const values = context.compileOperators(entryPath, spec);
    for (const condition of values) refuseNear(condition);
    return { values };
  }
  const documents = context.compile(spec);
  refuseNear(documents);
  return { documents };
}

/** True if the operators apply to the entries themselves rather than to documents in the array. */
export function isAboutValues(spec: RawDocument, { topLevel }: Pick<FilterContext, 'topLevel'>): boolean {
  const first = spec.first()?.name ?? '';
  return first.startsWith('$') && !topLevel(first)?.asksDocuments;
}

/** Throws if the condition contains `$near`, because array entries cannot be sorted by distance. */
function refuseNear({ near, children = [] }: Condition): void {
  if (near !== undefined) throw nearNotAtTop();
  for (const child of children) refuseNear(child);
}

/**
 * Conditions on an array entry itself are tested on the document `{0: entry}`. This is the path of the entry in that
 * document.
 */
const entryPath = pathOf('0');

function valueTest(conditions: readonly Condition[]): (entry: Value) => boolean {
  const tests = conditions.map(testOf);
  return (entry) => tests.every((test) => test(entry));
}

/** Tests one entry by a condition. An array within the array counts as a whole and is not traversed. */
function testOf(condition: Condition): (entry: Value) => boolean {
  const { leaf, operator, children = [] } = condition;
  if (leaf !== undefined) return leaf.test;
  const tests = children.map(testOf);
  if (operator === '$not') return (entry) => !tests.every((test) => test(entry));
  if (operator === '$and') return (entry) => tests.every((test) => test(entry));
  return (entry) => condition.matches(writeDocument((writer) => writer.field('0', entry)));
}

/** Tests an entry as a document. An array counts as a document whose field names are the indexes. */
function documentTest(condition: Condition): (entry: Value) => boolean {
  return (entry) =>
    (entry.type === bsonTypes.object || entry.type === bsonTypes.array) &&
    condition.matches(documentOf(entry));
}

/** Compiles `$all`: every listed value must match some value at the path. */
function compileAll(operand: Value, path: Path, context: FilterContext): Condition {
  if (operand.type !== bsonTypes.array) throw new ServerError('BadValue', '$all needs an array');
  const { comparison = byBytes, statement } = context.environment;
  const entries = listed(documentOf(operand), 'a filter');
  const [first] = entries;
  if (first === undefined) return always('$alwaysFalse', false);
  if (isElemMatch(first))
    return and(
      entries.map((entry) => elemMatchOf(entry, path, context)),
      statement,
    );
  if (entries.length > MANY && entries.every(isPlain)) return allOfMany(entries, path, comparison, statement);
  return and(
    entries.map((entry) => entryOf(entry, path, context)),
    statement,
  );
}

/** Estimated memory of an operand that is kept as a key, in addition to the characters of the key. */
const KEY_BYTES = 56;
/** If there are more operands than this, one pass over the values is faster than a pass per operand. */
const MANY = 100;

function isPlain(entry: Value): boolean {
  return (
    entry.type !== bsonTypes.regex && entry.type !== bsonTypes.undefined && entry.type !== bsonTypes.object
  );
}

function allOfMany(
  entries: readonly Value[],
  path: Path,
  { keyText }: Comparison,
  statement: Statement,
): Condition {
  const wanted = new Set<string>();
  for (const entry of entries) {
    statement.check();
    const key = keyText(entry);
    keep(KEY_BYTES + key.length, 'a filter');
    wanted.add(key);
  }
  return {
    operator: '$all',
    matches: (doc) => {
      // Collecting the found keys is cheaper than copying the wanted keys for each document.
      const found = new Set<string>();
      return someValueAt(path, doc, (value) => {
        statement.check();
        const key = keyText(value ?? nullValue);
        if (wanted.has(key)) found.add(key);
        return found.size === wanted.size;
      });
    },
  };
}

function isElemMatch(value: Value): boolean {
  return value.type === bsonTypes.object && documentOf(value).first()?.name === '$elemMatch';
}

function elemMatchOf(entry: Value, path: Path, context: FilterContext): Condition {
  const spec = entry.type === bsonTypes.object ? documentOf(entry).first() : undefined;
  if (spec?.name !== '$elemMatch') {
    throw new ServerError('BadValue', '$all/$elemMatch has to be consistent');
  }
  return compileElemMatch(spec, path, context);
}

function entryOf(entry: Value, path: Path, { environment, isOperator }: FilterContext): Condition {
  environment.statement.check();
  keepParts('a filter');
  if (entry.type === bsonTypes.regex) return regexLeaf(path, entry, environment);
  if (entry.type === bsonTypes.object && isOperator(documentOf(entry).first()?.name ?? '')) {
    throw new ServerError('BadValue', 'no $ expressions in $all');
  }
  return equality(entry, path, environment);
}
