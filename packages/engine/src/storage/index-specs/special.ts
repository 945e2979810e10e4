import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { int32, isNumber, string, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isLanguage } from '../../language/text/language.ts';
import { cannotCreate, wrongType } from './errors.ts';
import { checkTextKey, checkWeightName, isText } from './text-key.ts';

const TEXT_VERSION = 3;
const SPHERE_VERSION = 3;
const MAX_WEIGHT = 100_000;
/** Levels of the smallest cells of a 2dsphere index: the default, and the maximum. */
const FINEST_LEVEL = 23;
const MAX_LEVEL = 30;

export function checkText(key: RawDocument, options: Map<string, Value>): RawDocument {
  checkTextKey(key);
  const weights = weightsOf(key, options);
  const version = versionOf(options.get('textIndexVersion'), 'textIndexVersion', [1, 2, 3], TEXT_VERSION);
  const language = options.get('default_language') ?? string('english');
  if (language.type !== bsonTypes.string) throw wrongType('default_language', 'string', language);
  if (!isLanguage(textOf(language), version)) {
    throw cannotCreate(
      `default_language is not valid :: caused by :: unsupported language: "${textOf(language)}"`,
    );
  }
  const override = options.get('language_override') ?? string('language');
  if (override.type !== bsonTypes.string) throw wrongType('language_override', 'string', override);
  if (!/^[^$.][^.]*$/s.test(textOf(override))) throw cannotCreate('language_override is not valid');
  options.set('weights', weights.toValue());
  options.set('default_language', language);
  options.set('language_override', override);
  options.set('textIndexVersion', int32(version));
  return textKey(key);
}

/** Replaces the text fields by `_fts` and `_ftsx` at the position of the first, as in the output of `listIndexes`. */
function textKey(key: RawDocument): RawDocument {
  return writeDocument((writer) => {
    let written = false;
    for (const part of key) {
      if (part.name === '_ftsx') continue;
      if (!isText(part)) writer.element(part);
      else if (!written) {
        writer.field('_fts', string('text'));
        writer.field('_ftsx', int32(1));
        written = true;
      }
    }
  });
}

/** Returns the weights sorted by field name. Fields of the key have a weight of 1 by default. */
function weightsOf(key: RawDocument, options: ReadonlyMap<string, Value>): RawDocument {
  const weights = new Map<string, Value>();
  const given = options.get('weights');
  if (given?.type === bsonTypes.string && textOf(given) === '$**') weights.set('$**', int32(1));
  else if (given !== undefined) {
    checkWeights(given);
    for (const weight of documentOf(given)) {
      checkWeightName(weight.name);
      weights.set(weight.name, checkedWeight(weight));
    }
  }
  for (const part of key) {
    if (isText(part) && part.name !== '_fts' && !weights.has(part.name)) weights.set(part.name, int32(1));
  }
  const names = [...weights.keys()].sort();
  return writeDocument((writer) => {
    for (const name of names) writer.field(name, weights.get(name) as Value);
  });
}

/**
 * Throws unless the weights are a document. Like the server, reports strings and arrays as an invalid value, and other
 * types as a wrong type.
 */
function checkWeights(given: Value): void {
  if (given.type === bsonTypes.object) return;
  if (given.type !== bsonTypes.string && given.type !== bsonTypes.array) {
    throw wrongType('weights', 'object', given);
  }
  throw cannotCreate(
    `text index option 'weights' must be an object or "$**", but is ${typeName(given.type)}`,
  );
}

/** Returns a weight as a 32-bit integer. The server drops the fraction before it compares the weight with the limits. */
function checkedWeight(weight: Value): Value {
  if (!isNumber(weight)) throw cannotCreate('weight for text index needs numeric type');
  const number = Math.trunc(toNumber(weight)) || 0;
  if (number > 0 && number < MAX_WEIGHT) return int32(number);
  throw cannotCreate(
    `text index weight must be in the exclusive interval (0,${MAX_WEIGHT}) but found: ${number}`,
  );
}

function versionOf(value: Value | undefined, name: string, known: readonly number[], newest: number): number {
  if (value === undefined) return newest;
  if (!isNumber(value)) throw wrongType(name, 'number', value);
  const version = toNumber(value);
  if (known.includes(version)) return version;
  throw cannotCreate(
    `unsupported geo/text index version { ${name} : ${version} }, only support versions: [${known}]`,
  );
}

export function checkSphere(options: Map<string, Value>): void {
  const name = '2dsphereIndexVersion';
  options.set(name, int32(versionOf(options.get(name), name, [1, 2, 3], SPHERE_VERSION)));
  const coarsest = numberIn(options, 'coarsestIndexedLevel', 0);
  const finest = numberIn(options, 'finestIndexedLevel', FINEST_LEVEL);
  if (coarsest < 0) throw new ServerError(16747, 'coarsestIndexedLevel must be >= 0');
  if (finest > MAX_LEVEL) throw new ServerError(16748, `finestIndexedLevel must be <= ${MAX_LEVEL}`);
  if (finest < coarsest) throw new ServerError(16749, 'finestIndexedLevel must be >= coarsestIndexedLevel');
}

export function checkPlane(options: Map<string, Value>): void {
  const bits = numberIn(options, 'bits', 26);
  const [min, max] = [numberIn(options, 'min', -180), numberIn(options, 'max', 180)];
  if (bits < 1 || bits > 32) {
    throw new ServerError('InvalidOptions', `bits for hash must be > 0 and <= 32, but was: ${bits}`);
  }
  if (min >= max) {
    throw new ServerError(
      'InvalidOptions',
      `region for hash must be valid and have positive area, but was: [${min}, ${max}]`,
    );
  }
}

function numberIn(options: ReadonlyMap<string, Value>, name: string, otherwise: number): number {
  const value = options.get(name);
  if (value === undefined) return otherwise;
  if (!isNumber(value)) throw wrongType(name, 'number', value);
  return toNumber(value);
}
