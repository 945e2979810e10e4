import { expandedSize } from '@portolan/foundation/pattern-size';
import { bsonTypes } from '../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';

/** Limits of an audit filter: characters of text, nesting depth, and number of values. */
const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 20;
const MAX_VALUES = 1000;

/** Maximum number of characters in all patterns together, with their repetitions expanded. */
const MAX_PATTERN_SIZE = 1000;

/**
 * Operators that compare a value of the message with a value of the filter. Expressions, scripts and schemas are not
 * allowed, because even a small one may take much time and memory.
 */
const allowed: ReadonlySet<string> = new Set([
  ...['$and', '$or', '$nor', '$not', '$comment', '$alwaysTrue', '$alwaysFalse', '$sampleRate'],
  ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists', '$type', '$mod'],
  ...['$regex', '$options', '$all', '$elemMatch', '$size'],
  // The fields of a DBRef, which is a value and contains no operators.
  ...['$ref', '$id', '$db'],
]);

/**
 * Parses the text as JSON. Throws if the text exceeds the limits of a filter. Thus later code can process the result by
 * recursion.
 */
export function boundedJson(text: string): unknown {
  if (text.length > MAX_CHARACTERS) throw new Error(`it is longer than ${MAX_CHARACTERS} characters`);
  const json: unknown = JSON.parse(text);
  let values = 0;
  let level = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`);
    values += level.length;
    if (values > MAX_VALUES) throw new Error(`it has more than ${MAX_VALUES} values`);
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return json;
}

/** Throws for an operator that audit filters must not contain. */
export function checkOperators(filter: RawDocument): void {
  for (const element of filter) {
    if (element.name.startsWith('$') && !allowed.has(element.name)) {
      throw new Error(`audit filters cannot use ${element.name}`);
    }
    if (element.type === bsonTypes.object || element.type === bsonTypes.array) {
      checkOperators(documentOf(element));
    }
  }
}

/**
 * Returns a function that must be called with each pattern of a filter. It throws if a single pattern, or all patterns
 * together, would take too long to compile.
 */
export function patternBudget(): (pattern: string, ignoreCase: boolean) => number {
  let left = MAX_PATTERN_SIZE;
  return (pattern, ignoreCase) => {
    const size = expandedSize(pattern, ignoreCase);
    left -= size;
    if (left >= 0) return size;
    throw new Error(
      `its patterns are larger than ${MAX_PATTERN_SIZE} characters once their repetitions are written out`,
    );
  };
}
