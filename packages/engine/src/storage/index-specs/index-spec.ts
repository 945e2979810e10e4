import { bsonTypes } from '../../bson/bson-types.ts';
import { describeCollation, requiredCollation } from '../../bson/collation/index.ts';
import { describe } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { toNumber, truthOfNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, int32, isNumber, textOf, trueValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileProjection } from '../../language/projection/index.ts';
import { kindOf } from '../model/index-definition.ts';
import { cannotCreate, notBoolean, wrongType } from './errors.ts';
import { checkClustered, checkForId } from './id-index.ts';
import { checkKey } from './key.ts';
import { checkPartialFilter } from './partial.ts';
import { checkPlane, checkSphere, checkText } from './special.ts';

export { isIdKey } from './key.ts';

/** One entry of `createIndexes`, validated and completed with defaults. */
export interface IndexSpec {
  readonly key: RawDocument;
  readonly name: string;
  /** The specification in the format of `listIndexes`. */
  readonly document: RawDocument;
  /** The specification as the client sent it, for messages. */
  readonly given: RawDocument;
}

/** Options that `createIndexes` accepts for indexes of at least one kind. */
const known = new Set(
  `key name ns v unique sparse background hidden expireAfterSeconds partialFilterExpression collation weights
  default_language language_override textIndexVersion 2dsphereIndexVersion bits min max wildcardProjection
  storageEngine prepareUnique dropDups clustered bucketSize coarsestIndexedLevel finestIndexedLevel
  columnstoreProjection originalSpec`.split(/\s+/),
);

const flags: ReadonlySet<string> = new Set([
  'unique',
  'sparse',
  'background',
  'hidden',
  'prepareUnique',
  'dropDups',
  'clustered',
]);

/** Options that are written to the stored document separately, or not at all. */
const unlisted: ReadonlySet<string> = new Set([
  'v',
  'key',
  'name',
  'unique',
  'ns',
  'dropDups',
  'originalSpec',
]);

const MAX_SECONDS = 2_147_483_647;

/** Validates the specification of an index. `collation` is the default collation of the collection. */
export function readIndexSpec(
  given: RawDocument,
  ignoreUnknown: boolean,
  collation: RawDocument | undefined,
): IndexSpec {
  const options = optionsOf(given, ignoreUnknown);
  const key = keyOf(options);
  checkKey(key);
  const name = nameOf(options);
  const version = versionOf(options.get('v'));
  checkForId(key, name, options);
  checkOptions(options);
  checkClustered(given, options);
  addCollation(options, key, collation);
  if (version === 1 && kindOf(key) === 'wildcard') {
    throw cannotCreate('Wildcard indexes require the index version 2');
  }
  const shown = checkKind(key, options);
  checkTogether(key, options);
  return { key: shown, name, document: documentFor(shown, version, options), given };
}

function optionsOf(given: RawDocument, ignoreUnknown: boolean): Map<string, Value> {
  const options = new Map<string, Value>();
  for (const element of given) {
    const { name } = element;
    if (known.has(name)) options.set(name, element);
    else if (!ignoreUnknown) {
      throw new ServerError(
        'InvalidIndexSpecificationOption',
        `The field '${name}' is not valid for an index specification.`,
      );
    }
  }
  return options;
}

function keyOf(options: ReadonlyMap<string, Value>): RawDocument {
  const key = options.get('key');
  if (key === undefined) throw missing('key');
  if (key.type !== bsonTypes.object) throw wrongType('key', 'object', key);
  return documentOf(key);
}

function nameOf(options: ReadonlyMap<string, Value>): string {
  const value = options.get('name');
  if (value === undefined) throw missing('name');
  if (value.type !== bsonTypes.string) throw wrongType('name', 'string', value);
  const name = textOf(value);
  if (name === '') throw cannotCreate('index name cannot be empty');
  if (name === '*') throw new ServerError('BadValue', "The index name '*' is not valid.");
  if (name.includes('\0')) throw cannotCreate('index name cannot contain NUL bytes');
  return name;
}

function missing(field: string): ServerError {
  return new ServerError(
    'FailedToParse',
    `The '${field}' field is a required property of an index specification`,
  );
}

function versionOf(value: Value | undefined): number {
  if (value === undefined) return 2;
  if (!isNumber(value)) throw wrongType('v', 'number', value);
  const version = toNumber(value);
  if (!Number.isInteger(version)) {
    throw new ServerError(
      'BadValue',
      `Index version must be representable as a 32-bit integer, but got ${describe(value)}`,
    );
  }
  if (version === 1 || version === 2) return version;
  throw cannotCreate(`Invalid index specification; cannot create an index with v=${version}`);
}

function checkOptions(options: Map<string, Value>): void {
  for (const [name, value] of options) {
    if (!flags.has(name)) continue;
    const isFlag = value.type === bsonTypes.bool || (isNumber(value) && name !== 'hidden');
    if (!isFlag) throw notBoolean(name, value);
    // The option has no effect, but `listIndexes` returns it unchanged.
    if (name === 'background' && value.type === bsonTypes.bool) continue;
    if (isSet(value)) options.set(name, trueValue);
    else options.delete(name);
  }
  const seconds = options.get('expireAfterSeconds');
  if (seconds !== undefined) options.set('expireAfterSeconds', checkedSeconds(seconds));
  const partial = options.get('partialFilterExpression');
  if (partial !== undefined) {
    if (partial.type !== bsonTypes.object) throw wrongType('partialFilterExpression', 'object', partial);
    checkPartialFilter(documentOf(partial));
    if (options.has('sparse')) {
      throw cannotCreate('cannot mix "partialFilterExpression" and "sparse" options');
    }
  }
  const storage = options.get('storageEngine');
  if (storage !== undefined && storage.type !== bsonTypes.object) {
    throw wrongType('storageEngine', 'object', storage);
  }
}

function isSet(value: Value): boolean {
  return value.type === bsonTypes.bool ? boolOf(value) : truthOfNumber(value);
}

function checkedSeconds(value: Value): Value {
  if (!isNumber(value)) {
    throw cannotCreate("TTL index 'expireAfterSeconds' option must be numeric");
  }
  const seconds = toNumber(value);
  if (Number.isNaN(seconds)) throw cannotCreate("TTL index 'expireAfterSeconds' option must not be NaN");
  if (seconds < 0) throw cannotCreate("TTL index 'expireAfterSeconds' option cannot be less than 0");
  if (seconds > MAX_SECONDS) {
    throw cannotCreate(
      "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number",
    );
  }
  return int32(Math.trunc(seconds));
}

function addCollation(
  options: Map<string, Value>,
  key: RawDocument,
  inherited: RawDocument | undefined,
): void {
  const given = options.get('collation');
  options.delete('collation');
  const spec = given === undefined ? undefined : requiredCollation(given);
  if (spec !== undefined) options.set('collation', describeCollation(spec).toValue());
  else if (given === undefined && inherited !== undefined) options.set('collation', inherited.toValue());
  const kind = kindOf(key);
  if (options.has('collation') && (kind === 'text' || kind === '2d')) {
    throw cannotCreate(`Index type '${kind}' does not support collation: { locale: "simple" } is required`);
  }
}

/** Validates the options that depend on the kind of the index. Returns the key in the format of `listIndexes`. */
function checkKind(key: RawDocument, options: Map<string, Value>): RawDocument {
  const kind = kindOf(key);
  const projection = options.get('wildcardProjection');
  if (projection !== undefined && kind !== 'wildcard') {
    if (projection.type !== bsonTypes.object) throw wrongType('wildcardProjection', 'object', projection);
    throw new ServerError(
      'BadValue',
      "The field 'wildcardProjection' is only allowed in an 'wildcard' index",
    );
  }
  if (options.has('weights') && kind !== 'text') {
    throw cannotCreate("The field 'weights' is only allowed in a 'text' index");
  }
  switch (kind) {
    case 'text':
      return checkText(key, options);
    case '2dsphere':
      checkSphere(options);
      return key;
    case '2d':
      checkPlane(options);
      return key;
    case 'hashed':
      if (options.has('unique')) {
        throw new ServerError(
          16764,
          'Currently hashed indexes cannot guarantee uniqueness. Use a regular index.',
        );
      }
      return key;
    case 'wildcard':
      checkWildcard(key, options, projection);
      return key;
    default:
      return key;
  }
}

function checkWildcard(
  key: RawDocument,
  options: ReadonlyMap<string, Value>,
  projection: Value | undefined,
): void {
  for (const option of ['unique', 'sparse', 'expireAfterSeconds']) {
    if (!options.has(option)) continue;
    throw cannotCreate(`Index type 'wildcard' does not support the '${option}' option`);
  }
  const parts = [...key];
  const everywhere = parts.some(({ name }) => name === '$**');
  if (projection === undefined) {
    if (parts.length > 1 && everywhere) {
      throw cannotCreate('a compound wildcard index over all fields needs a wildcardProjection');
    }
    return;
  }
  if (projection.type !== bsonTypes.object) throw wrongType('wildcardProjection', 'object', projection);
  if (!everywhere) {
    throw new ServerError(
      'FailedToParse',
      "The field 'wildcardProjection' is only allowed when the key is over all fields ($**)",
    );
  }
  const spec = documentOf(projection);
  if (spec.isEmpty) {
    throw new ServerError('FailedToParse', "The 'wildcardProjection' field can't be an empty object");
  }
  for (const field of spec) {
    if (isNumber(field) || field.type === bsonTypes.bool || isNestedProjection(field)) continue;
    throw new ServerError(51271, `'wildcardProjection' cannot compute the field ${field.name}`);
  }
  compileProjection(spec);
  const regular = parts.filter(({ name }) => name !== '$**');
  const overlapping = regular.find(({ name }) => projects(spec, name));
  if (overlapping === undefined) return;
  throw new ServerError(
    7246209,
    `'wildcardProjection' must exclude the field ${overlapping.name}, which is part of the index key`,
  );
}

function isNestedProjection(field: Value): boolean {
  return field.type === bsonTypes.object && !documentOf(field).first()?.name.startsWith('$');
}

/** True if a projection keeps the path or a part of it. */
function projects(spec: RawDocument, path: string): boolean {
  const related = (name: string) =>
    name === path || path.startsWith(`${name}.`) || name.startsWith(`${path}.`);
  const fields = [...spec].filter(({ name }) => name !== '_id' || path === '_id');
  const includes = fields.some((field) => field.type === bsonTypes.object || isIncluded(field));
  return includes
    ? fields.some((field) => related(field.name) && isIncluded(field))
    : !fields.some(({ name }) => name === path || path.startsWith(`${name}.`));
}

const isIncluded = (value: Value) =>
  value.type === bsonTypes.bool ? boolOf(value) : isNumber(value) && truthOfNumber(value);

function checkTogether(key: RawDocument, options: ReadonlyMap<string, Value>): void {
  if (options.has('expireAfterSeconds') && [...key].length > 1) {
    throw cannotCreate(
      'TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: ' +
        describe(key.toValue()),
    );
  }
}

function documentFor(key: RawDocument, version: number, options: ReadonlyMap<string, Value>): RawDocument {
  return writeDocument((writer) => {
    writer.field('v', int32(version));
    writer.field('key', key.toValue());
    writer.field('name', options.get('name') as Value);
    if (options.has('unique')) writer.field('unique', trueValue);
    for (const [option, value] of options) if (!unlisted.has(option)) writer.field(option, value);
  });
}
