import { ServerError } from '../../errors/server-error.ts';
import { bsonTypes, typeName } from '../bson-types.ts';
import { describe, describeDocument } from '../describe.ts';
import { writeDocument } from '../document-writer.ts';
import { toInteger, toNumber } from '../numbers/convert.ts';
import { documentOf, type RawDocument } from '../raw.ts';
import {
  bool,
  boolOf,
  type Element,
  int32,
  isAbsent,
  isNumber,
  string,
  textOf,
  type Value,
} from '../value.ts';
import { localeTag, tailoredDefaults } from './locales.ts';

/** A collation completed with defaults. The fields are in the order of replies. */
export interface CollationSpec {
  readonly locale: string;
  readonly caseLevel: boolean;
  readonly caseFirst: string;
  readonly strength: number;
  readonly numericOrdering: boolean;
  readonly alternate: string;
  readonly maxVariable: string;
  readonly normalization: boolean;
  readonly backwards: boolean;
}

/** The version of the collation data, which replies contain with every collation. */
const VERSION = '57.1';

const defaults = {
  caseLevel: false,
  caseFirst: 'off',
  strength: 3,
  numericOrdering: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  normalization: false,
  backwards: false,
} as const;

type Option = keyof CollationSpec;

const texts: Readonly<Partial<Record<Option, readonly string[]>>> = {
  caseFirst: ['upper', 'lower', 'off'],
  alternate: ['non-ignorable', 'shifted'],
  maxVariable: ['punct', 'space'],
};

/**
 * Parses a collation document. Returns `undefined` for the simple collation, which compares bytes. Throws
 * `BadValue` for invalid values and combinations, and 40413, 40414, 40415 or `TypeMismatch` for invalid
 * fields.
 */
export function readCollation(spec: RawDocument): CollationSpec | undefined {
  const given = new Map<string, Element>();
  for (const element of spec) {
    const { name } = element;
    if (!Object.hasOwn(defaults, name) && name !== 'locale' && name !== 'version') {
      throw new ServerError(40415, `BSON field 'Collation.${name}' is an unknown field.`);
    }
    if (given.has(name)) {
      throw new ServerError(40413, `BSON field 'Collation.${name}' is a duplicate field`);
    }
    if (!isAbsent(element)) given.set(name, element);
  }
  const locale = given.get('locale');
  if (locale === undefined) {
    throw new ServerError(40414, "BSON field 'Collation.locale' is missing but a required field");
  }
  checkVersion(given.get('version'), spec);
  const read = filledIn(textField('locale', locale), given);
  if (read.locale === 'simple') return undefined;
  checkLocale(read.locale, spec);
  checkCombination(read);
  return read;
}

function filledIn(locale: string, given: ReadonlyMap<string, Element>): CollationSpec {
  const options = { ...defaults, ...tailoredDefaults(locale) };
  const flag = (name: 'caseLevel' | 'numericOrdering' | 'normalization') => {
    const value = given.get(name);
    return value === undefined ? options[name] : boolField(name, value);
  };
  const backwards = given.get('backwards');
  const word = (name: 'caseFirst' | 'alternate' | 'maxVariable') => {
    const value = given.get(name);
    return value === undefined ? options[name] : wordField(name, value);
  };
  const strength = given.get('strength');
  return {
    locale,
    caseLevel: flag('caseLevel'),
    caseFirst: word('caseFirst'),
    strength: strength === undefined ? options.strength : strengthField(strength),
    numericOrdering: flag('numericOrdering'),
    alternate: word('alternate'),
    maxVariable: word('maxVariable'),
    normalization: flag('normalization'),
    backwards: backwards === undefined ? options.backwards : strictBoolField('backwards', backwards),
  };
}

/** Returns the collation in the format of `listCollections` and `listIndexes`. */
export function describeCollation(spec: CollationSpec): RawDocument {
  return writeDocument((writer) => {
    writer.field('locale', string(spec.locale));
    writer.field('caseLevel', bool(spec.caseLevel));
    writer.field('caseFirst', string(spec.caseFirst));
    writer.field('strength', int32(spec.strength));
    writer.field('numericOrdering', bool(spec.numericOrdering));
    writer.field('alternate', string(spec.alternate));
    writer.field('maxVariable', string(spec.maxVariable));
    writer.field('normalization', bool(spec.normalization));
    writer.field('backwards', bool(spec.backwards));
    writer.field('version', string(VERSION));
  });
}

function wrongType(name: string, value: Value, wanted: string): ServerError {
  return new ServerError(
    'TypeMismatch',
    `BSON field 'Collation.${name}' is the wrong type '${typeName(value.type)}', expected ${wanted}`,
  );
}

function textField(name: string, value: Value): string {
  if (value.type === bsonTypes.string) return textOf(value);
  throw wrongType(name, value, "type 'string'");
}

function boolField(name: string, value: Value): boolean {
  if (value.type === bsonTypes.bool) return boolOf(value);
  if (isNumber(value)) return toNumber(value) !== 0;
  throw wrongType(name, value, "types '[bool, long, int, decimal, double]'");
}

/** Reads a boolean. Unlike in other flags, a number is an error. */
function strictBoolField(name: string, value: Value): boolean {
  if (value.type === bsonTypes.bool) return boolOf(value);
  throw wrongType(name, value, "type 'bool'");
}

function wordField(name: 'caseFirst' | 'alternate' | 'maxVariable', value: Value): string {
  const text = textField(name, value);
  if (texts[name]?.includes(text)) return text;
  throw notAValue(name, text);
}

function strengthField(value: Value): number {
  if (!isNumber(value)) throw wrongType('strength', value, "types '[long, int, decimal, double]'");
  const strength = toInteger(value);
  if (strength >= 1 && strength <= 5) return strength;
  throw notAValue('strength', describe(value));
}

function notAValue(name: string, value: string): ServerError {
  return new ServerError(
    'BadValue',
    `Enumeration value '${value}' for field 'Collation.${name}' is not a valid value.`,
  );
}

function checkVersion(value: Value | undefined, spec: RawDocument): void {
  if (value === undefined || textField('version', value) === VERSION) return;
  throw new ServerError(
    'IncompatibleCollationVersion',
    `Requested collation version ${textOf(value)} but the only available collator version was ${VERSION}. ` +
      `Requested collation spec: ${describeDocument(spec)}`,
  );
}

function checkLocale(locale: string, spec: RawDocument): void {
  if (locale === '') {
    throw new ServerError(
      'BadValue',
      `Field 'locale' cannot be the empty string in: ${describeDocument(spec)}. If you want to request the ` +
        "root collation, use 'root'.",
    );
  }
  if (localeTag(locale) !== undefined) return;
  throw new ServerError('BadValue', `Field 'locale' is invalid in: ${describeDocument(spec)}`);
}

function checkCombination({ caseFirst, caseLevel, strength, backwards }: CollationSpec): void {
  if (backwards && strength === 1) {
    throw new ServerError('BadValue', "'backwards' is invalid with 'strength' of 1");
  }
  if (caseFirst !== 'off' && !caseLevel && strength < 3) {
    throw new ServerError(
      'BadValue',
      "'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2",
    );
  }
}

/** Parses the collation of an index or collection. An empty document is an error. */
export function requiredCollation(value: Value): CollationSpec | undefined {
  if (value.type !== bsonTypes.object) {
    throw new ServerError(
      'TypeMismatch',
      `The field 'collation' must be an object, but got ${typeName(value.type)}`,
    );
  }
  const spec = documentOf(value);
  if (spec.isEmpty) throw new ServerError('BadValue', "The field 'collation' cannot be an empty object.");
  return readCollation(spec);
}
