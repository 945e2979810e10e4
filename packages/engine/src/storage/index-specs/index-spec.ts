import { bsonTypes } from '../../bson/bson-types.ts';
import { describeCollation, requiredCollation } from '../../bson/collation/index.ts';
import { describe } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { truthOfNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, int32, isNumber, trueValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileProjection } from '../../language/projection/index.ts';
import { kindOf } from '../model/index-definition.ts';
import { cannotCreate, wrongType } from './errors.ts';
import { checkClustered, checkForId } from './id-index.ts';
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

/** The options of an index, as `createIndexes` has read them. */
export interface IndexOptions {
  readonly key: RawDocument;
  readonly name: string;
  readonly version: number;
  /** The names of all given options. */
  readonly names: ReadonlySet<string>;
  /** The options in the given order. Flags that are false are absent. */
  readonly values: Map<string, Value>;
}

/** Checks that the options of an index fit each other. `collation` is the default collation of the collection. */
export function completeIndexSpec(
  given: RawDocument,
  { key, name, version, names, values: options }: IndexOptions,
  collation: RawDocument | undefined,
): IndexSpec {
  checkForId(key, name, names);
  if (options.has('partialFilterExpression') && options.has('sparse')) {
    throw cannotCreate('cannot mix "partialFilterExpression" and "sparse" options');
  }
  checkClustered(given, options);
  addCollation(options, key, collation);
  if (version === 1 && kindOf(key) === 'wildcard') {
    throw cannotCreate('Wildcard indexes require the index version 2');
  }
  const shown = checkKind(key, options);
  checkTogether(key, options);
  return { key: shown, name, document: documentFor(shown, version, options), given };
}

function addCollation(
  options: Map<string, Value>,
  key: RawDocument,
  inherited: RawDocument | undefined,
): void {
  const given = options.get('collation');
  options.delete('collation');
  // The collation `simple` is not stored.
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
