import { bsonTypes, isNumberType, type TypeName } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { step } from '../../bson/turns.ts';
import { isAbsent, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import {
  type Declared,
  type Fields,
  type FieldTable,
  type FieldType,
  type Given,
  missingField,
  type Others,
  type Reader,
  type RequiredType,
  readerOf,
  typeOf,
  wrongType,
} from './fields.ts';

/** This file contains functions that build types of fields from kinds and other types. */

type NewError = (value: Value, name: string, within: string) => ServerError;

/** Makes a field required. */
export function required<const D extends Declared>(
  declared: D,
  missing: RequiredType<Given<D>>['missing'] = missingField,
): RequiredType<Given<D>> {
  return { ...typeOf(declared), missing };
}

/** Makes null an error. */
export function notNull<const D extends Declared>(declared: D): FieldType<Given<D>> {
  return { ...typeOf(declared), readsNull: true };
}

/** Makes null count as absent. */
export function nullable<const D extends Declared>(declared: D): FieldType<Given<D>> {
  return { ...typeOf(declared), readsNull: false };
}

/** Converts or validates the values of a type. `convert` throws for invalid values. */
export function converted<const D extends Declared, T>(
  declared: D,
  convert: (given: Given<D>, name: string, within: string) => T,
): FieldType<T> {
  const type = typeOf(declared);
  return {
    ...type,
    read: (value, name, within) => convert(type.read(value, name, within), name, within),
  };
}

/** Checks a document with `type`, and returns the document itself instead of the result of `type`. */
export function validated(type: FieldType<unknown>): FieldType<RawDocument> {
  return {
    ...type,
    read(value, name, within) {
      type.read(value, name, within);
      return documentOf(value);
    },
  };
}

/** The names of types, and `number` for any type of number. */
type Group = TypeName | 'number';
type Choices = Readonly<Partial<Record<Group, Reader<unknown>>>>;
type Chosen<C extends Choices> = {
  [G in keyof C]: C[G] extends Reader<infer T> ? T : never;
}[keyof C];

const numberTypes = ['long', 'int', 'decimal', 'double'] as const;

/** Reads the value with the reader of its type. By default, values of other types cause the error `TypeMismatch`. */
export function byType<const C extends Choices>(choices: C, wrong?: NewError): FieldType<Chosen<C>> {
  const groups = Object.keys(choices) as Group[];
  const types = groups.flatMap((group) => (group === 'number' ? numberTypes : [group]));
  const byCode = new Map(groups.map((group) => [group === 'number' ? -1 : bsonTypes[group], choices[group]]));
  return {
    read(value, name, within) {
      const read = byCode.get(isNumberType(value.type) && byCode.has(-1) ? -1 : value.type);
      if (read !== undefined) return read(value, name, within) as Chosen<C>;
      throw wrong?.(value, name, within) ?? wrongType(value, `${within}.${name}`, types);
    },
  };
}

/** A value of some types that is not decoded. */
export function ofTypes(groups: readonly Group[], wrong?: NewError): FieldType<Value> {
  return byType(Object.fromEntries(groups.map((group) => [group, (value: Value) => value])), wrong);
}

/** A string, and the error for values of other types. */
export function text(wrong: NewError): FieldType<string> {
  return byType({ string: textOf }, wrong);
}

/** One of several words. */
export function words<const W extends string>(
  known: readonly W[],
  wrong: (word: string) => ServerError | undefined = () => undefined,
): FieldType<W> {
  return converted('string', (word, name, within) => {
    const found = known.find((one) => one === word);
    if (found !== undefined) return found;
    throw wrong(word) ?? notAWord(word, `${within}.${name}`);
  });
}

function notAWord(word: string, field: string): ServerError {
  return new ServerError(
    'BadValue',
    `Enumeration value '${word}' for field '${field}' is not a valid value.`,
  );
}

/** A number between two bounds, inclusive. */
export function inRange(
  declared: 'int' | 'double' | FieldType<number>,
  least: number,
  most = Number.POSITIVE_INFINITY,
): FieldType<number> {
  return converted(declared, (number: number, name) => {
    if (number >= least && number <= most) return number;
    throw outOfRange(number, name, number > most ? `<= ${most}` : `>= ${least}`);
  });
}

function outOfRange(number: number, name: string, bound: string): ServerError {
  return new ServerError('BadValue', `BSON field '${name}' value must be ${bound}, actual value '${number}'`);
}

interface ListOptions {
  /** True if null entries are left out. Otherwise they are read like the other entries. */
  readonly skipsNull?: boolean;
  /** The error for a value that is not an array. */
  readonly wrong?: NewError;
}

/** An array whose entries have one type. */
export function listOf<const D extends Declared>(
  declared: D,
  { skipsNull = false, wrong }: ListOptions = {},
): FieldType<ReadonlyArray<Given<D>>> {
  const type = typeOf(declared);
  return byType(
    {
      array: (value, name, within) => {
        const found: Given<D>[] = [];
        for (const [i, entry] of entriesOf(value).entries()) {
          step();
          if (!skipsNull || !isAbsent(entry)) found.push(type.read(entry, `${name}.${i}`, within));
        }
        return found;
      },
    },
    wrong,
  );
}

/** A list with at least one entry. */
export function notEmpty<T>(
  list: FieldType<readonly T[]>,
  empty: (name: string, within: string) => ServerError,
): FieldType<readonly T[]> {
  return converted(list, (entries, name, within) => {
    if (entries.length > 0) return entries;
    throw empty(name, within);
  });
}

interface NestedOptions extends Others {
  /** The name of the document in errors. By default, it is the path of the field. */
  readonly path?: string;
}

/**
 * A document with a table of its own. If it is the entry of a list, its errors name the list without the index of the
 * entry, as on the reference server.
 */
export function nested<const T extends FieldTable>(
  table: T,
  { path, ...others }: NestedOptions = {},
): FieldType<Fields<T>> {
  const read = readerOf(table, others);
  const pathOf = (name: string, within: string) => path ?? `${within}.${name.replace(/\.\d+$/, '')}`;
  return byType({ object: (value, name, within) => read(documentOf(value), pathOf(name, within)) });
}
