import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { ownDatabases } from '../../interface/namespaces.ts';
import { checkVariableBound } from '../expression/variable-name.ts';
import { checkFieldPath } from '../field-path.ts';
import { stagesOf } from './facet.ts';
import { readOptions } from './options.ts';
import { isWrongDatabase } from './output.ts';
import type { Namespace } from './pipeline-environment.ts';

export interface Merge {
  readonly into: Namespace;
  readonly on: readonly string[];
  readonly let?: RawDocument | undefined;
  readonly whenMatched: string;
  readonly whenNotMatched: string;
  readonly pipeline?: readonly RawDocument[] | undefined;
}

export function parseMerge(spec: Value, database: string): Merge {
  if (spec.type === bsonTypes.string) {
    const into = { collection: textOf(spec) };
    if (into.collection === '')
      throw new ServerError('InvalidNamespace', `Invalid $merge target namespace: ''`);
    checkTarget(into, database);
    return { into, on: ['_id'], whenMatched: 'merge', whenNotMatched: 'insert' };
  }
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      51182,
      `$merge requires a string or object argument, but found ${typeName(spec.type)}`,
    );
  }
  const options = readOptions('$merge', spec, {
    into: 'any!',
    on: 'any',
    let: 'object',
    whenMatched: 'any',
    whenNotMatched: 'string',
  });
  const into = targetOf(options.into as Element);
  checkTarget(into, database);
  const on = options.on === undefined ? ['_id'] : keysOf(options.on);
  const { mode, pipeline } = whenMatchedOf(options.whenMatched);
  const whenNotMatched = options.whenNotMatched === undefined ? 'insert' : textOf(options.whenNotMatched);
  if (!['insert', 'discard', 'fail'].includes(whenNotMatched)) {
    throw new ServerError(
      'BadValue',
      `Enumeration value '${whenNotMatched}' for field '$merge.whenNotMatched' is not a valid value.`,
    );
  }
  checkModes(mode, whenNotMatched);
  const variables = options.let && documentOf(options.let);
  if (variables !== undefined && pipeline === undefined) {
    throw new ServerError(51199, `Cannot use 'let' variables with 'whenMatched: ${mode}' mode`);
  }
  for (const variable of variables ?? []) {
    checkVariableBound(variable.name);
    const isRoot = variable.type === bsonTypes.string && textOf(variable) === '$$ROOT';
    if (variable.name === 'new' && !isRoot) throw reservedNew();
  }
  return { into, on, let: variables, whenMatched: mode, whenNotMatched, pipeline };
}

function reservedNew(): ServerError {
  return new ServerError(
    51273,
    "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'",
  );
}

function targetOf(value: Element): Namespace {
  if (value.type === bsonTypes.string) {
    const collection = textOf(value);
    if (collection === '') throw new ServerError(5786800, "$merge 'into' field cannot be an empty string");
    return { collection };
  }
  if (value.type !== bsonTypes.object) {
    throw new ServerError(
      51178,
      `$merge 'into' field  must be either a string or an object, but found ${typeName(value.type)}`,
    );
  }
  const { db, coll } = readOptions('$merge.into', value, { db: 'string', coll: 'string' });
  if (coll === undefined || textOf(coll) === '') {
    throw new ServerError(
      5786801,
      "$merge 'into' field must specify a 'coll' that is not empty, null or undefined",
    );
  }
  // An empty database name means the database of the source.
  return { database: db && (textOf(db) || undefined), collection: textOf(coll) };
}

function checkTarget({ database, collection }: Namespace, own: string): void {
  const target = database ?? own;
  if (
    collection.startsWith('.') ||
    collection.includes('$') ||
    collection.includes('\0') ||
    target === '' ||
    isWrongDatabase(target)
  ) {
    throw new ServerError('InvalidNamespace', `Invalid $merge target namespace: '${target}.${collection}'`);
  }
  if (collection.startsWith('system.')) {
    throw new ServerError(31319, `Cannot $merge to special collection: ${collection}`);
  }
  if (ownDatabases.has(target)) {
    throw new ServerError(31320, `Cannot $merge to internal database: ${target}`);
  }
}

function keysOf(value: Element): readonly string[] {
  if (value.type === bsonTypes.string) return [checkedPath(value)];
  if (value.type !== bsonTypes.array) {
    throw new ServerError(
      51186,
      `$merge 'on' field  must be either a string or an array of strings, but found ${typeName(value.type)}`,
    );
  }
  const keys = entriesOf(value).map((entry) => {
    if (entry.type === bsonTypes.string) return checkedPath(entry);
    throw new ServerError(
      51134,
      `$merge 'on' array elements must be strings, but found ${typeName(entry.type)}`,
    );
  });
  if (keys.length === 0) {
    throw new ServerError(51187, "If explicitly specifying $merge 'on', must include at least one field");
  }
  if (new Set(keys).size < keys.length)
    throw new ServerError(31465, "Found a duplicate field in $merge 'on'");
  return keys;
}

function checkedPath(value: Value): string {
  const path = textOf(value);
  checkFieldPath(path);
  return path;
}

const modes: ReadonlySet<string> = new Set(['replace', 'merge', 'keepExisting', 'fail']);

function whenMatchedOf(value: Element | undefined) {
  if (value === undefined) return { mode: 'merge', pipeline: undefined };
  if (value.type === bsonTypes.array) {
    return { mode: 'pipeline', pipeline: stagesOf(value, 'TypeMismatch', 'TypeMismatch', '$merge') };
  }
  if (value.type !== bsonTypes.string) {
    throw new ServerError(
      51191,
      `$merge 'whenMatched' field  must be either a string or an array, but found ${typeName(value.type)}`,
    );
  }
  const mode = textOf(value);
  if (!modes.has(mode)) {
    throw new ServerError(
      'BadValue',
      `Enumeration value '${mode}' for field 'whenMatched' is not a valid value.`,
    );
  }
  return { mode, pipeline: undefined };
}

/**
 * Validates the combination of modes: `whenMatched: fail` requires `whenNotMatched: insert`, and `keepExisting` is only
 * useful with inserts.
 */
function checkModes(matched: string, notMatched: string): void {
  const impossible =
    (matched === 'fail' && notMatched !== 'insert') ||
    (matched === 'keepExisting' && notMatched !== 'insert');
  if (impossible) {
    throw new ServerError(
      51181,
      `Combination of $merge modes whenMatched: ${matched} and whenNotMatched: ${notMatched} is not supported`,
    );
  }
}
