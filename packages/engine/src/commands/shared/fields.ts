import { bsonTypes, type TypeName, typeName } from '../../bson/bson-types.ts';
import { toBigInt, toInteger, toNumber, truthOfNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, isAbsent, isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { hintOf } from './hint.ts';
import { checkIsUuid, isUuidType } from './uuid-value.ts';

/**
 * Tables of fields, for commands and nested documents. A table maps each field name to a kind. The kind determines the
 * valid types of values, the error code for all other types, and the TypeScript type of the result. A field whose kind
 * ends with `!` is required. Null and the deprecated type `undefined` count as absent.
 */
interface Kinds {
  /** A collection name. */
  collection: string;
  string: string;
  object: RawDocument;
  documents: readonly RawDocument[];
  /** Like `documents`, except that null is an error. */
  stages: readonly RawDocument[];
  bool: boolean;
  /** Like `bool`, except that null is an error. */
  flag: boolean;
  /** A boolean or a number. */
  truth: boolean;
  /** A value of any type. False, zero and null are false, and all other values are true. */
  loose: boolean;
  /** A number of any type, truncated to an integer. */
  int: number;
  /** A non-negative number of any type, truncated to an integer. */
  count: number;
  /** A number of any type, as the nearest double. */
  double: number;
  /** An int32. Other types are errors. */
  int32: number;
  /** An int64. Other types are errors. */
  long: bigint;
  objectOrString: RawDocument | string;
  /** Like `objectOrString`, except that values of other types cause the error `FailedToParse`. */
  hint: RawDocument | string;
  timestamp: Value;
  /** Binary data of the subtype UUID. */
  uuid: Value;
  any: Value;
  /** A value of any type, including null. */
  value: Value;
}

type Kind = keyof Kinds;
type FieldKind = Kind | `${Kind}!`;

/** A type with error codes of its own, for the fields of a few commands (`field-types.ts`). */
export interface FieldType<T> {
  read(value: Value, name: string, within: string): T;
  /** If true, `read` also receives null. Otherwise null counts as absent. */
  readonly readsNull?: boolean;
}

/** The type of a required field. */
export interface RequiredType<T> extends FieldType<T> {
  /** Creates the error for an absent field. */
  missing(within: string, name: string): ServerError;
}

/** How a field is declared: with a kind, or with a type of its own. */
export type Declared = FieldKind | FieldType<unknown>;
export type FieldTable = Readonly<Record<string, Declared>>;

type Required = `${string}!` | RequiredType<unknown>;

/** The TypeScript type of the values of a declared field. */
export type Given<T> =
  T extends FieldType<infer R>
    ? R
    : T extends `${infer R extends Kind}!`
      ? Kinds[R]
      : T extends Kind
        ? Kinds[T]
        : never;

export type Fields<T extends FieldTable> = {
  readonly [K in keyof T as T[K] extends Required ? K : never]: Given<T[K]>;
} & {
  readonly [K in keyof T as T[K] extends Required ? never : K]?: Given<T[K]>;
};

export interface FieldReader<T extends FieldTable> {
  /** `sequences` are the fields in document sequence sections of the message. */
  read(document: RawDocument, sequences?: Sequences): Fields<T>;
}

/** How the other fields of a document are handled. By default, they are errors. */
export interface Others {
  /** True for the names of fields to ignore. */
  readonly ignored?: (name: string) => boolean;
  /** Creates the error for any other field. */
  readonly unknown?: (within: string, name: string) => ServerError;
}

/**
 * Creates a reader for a table. `within` is the name of the document in error messages (`find`, `update.updates`).
 * Fields for which `ignored` returns true are ignored.
 */
export function fields<const T extends FieldTable>(
  within: string,
  table: T,
  ignored: (name: string) => boolean = () => false,
): FieldReader<T> {
  const read = readerOf(table, { ignored });
  return { read: (document, sequences) => read(document, within, sequences) };
}

/** Creates a function that reads documents by a table. */
export function readerOf<const T extends FieldTable>(
  table: T,
  { ignored = () => false, unknown = unknownField }: Others = {},
): (document: RawDocument, within: string, sequences?: Sequences) => Fields<T> {
  const known = new Map(Object.entries(table).map(([name, kind]) => [name, typeOf(kind)]));
  const required = [...known].flatMap(([name, { missing }]) => (missing ? [{ name, missing }] : []));
  return (document, within, sequences) => {
    const found: Record<string, unknown> = Object.create(null);
    for (const [name, documents] of sequences ?? []) {
      if (known.get(name)?.read !== readers.documents) throw unknown(within, name);
      found[name] = documents;
    }
    const seen = new Set<string>(sequences?.keys());
    for (const element of document) {
      const { name } = element;
      if (seen.has(name)) throw duplicateField(within, name);
      seen.add(name);
      const type = known.get(name);
      if (type === undefined && !ignored(name)) throw unknown(within, name);
      if (type === undefined || (isAbsent(element) && type.readsNull !== true)) continue;
      found[name] = type.read(element, name, within);
    }
    for (const { name, missing } of required) {
      if (found[name] === undefined) throw missing(within, name);
    }
    return found as Fields<T>;
  };
}

type Sequences = ReadonlyMap<string, readonly RawDocument[]>;

interface DeclaredType<T> extends FieldType<T> {
  readonly missing?: (within: string, name: string) => ServerError;
}

/** Returns the type that a kind stands for. */
export function typeOf<const D extends Declared>(declared: D): DeclaredType<Given<D>> {
  if (typeof declared !== 'string') return declared as DeclaredType<Given<D>>;
  const kind = declared.replace('!', '') as Kind;
  const read = readers[kind] as Reader<Given<D>>;
  const type = { read, readsNull: readsNull.has(read) };
  return kind === declared ? type : { ...type, missing: missingField };
}

export type Reader<T> = (value: Value, name: string, within: string) => T;

const readers: { readonly [K in Kind]: Reader<Kinds[K]> } = {
  collection(value) {
    if (value.type === bsonTypes.string) return textOf(value);
    throw new ServerError('InvalidNamespace', `collection name has invalid type ${typeName(value.type)}`);
  },
  string: only(['string'], textOf),
  object: only(['object'], documentOf),
  documents(value, name, within) {
    return arrayOf(value, name, within).map((entry, i) => readers.object(entry, `${name}.${i}`, within));
  },
  stages: (value, name, within) => readers.documents(value, name, within),
  bool: only(['bool'], boolOf),
  flag: only(['bool'], boolOf),
  truth: only(['bool', 'long', 'int', 'decimal', 'double'], (value) =>
    value.type === bsonTypes.bool ? boolOf(value) : truthOfNumber(value),
  ),
  loose(value) {
    if (value.type === bsonTypes.bool) return boolOf(value);
    return !isNumber(value) || truthOfNumber(value);
  },
  int: only(['long', 'int', 'decimal', 'double'], truncated),
  count(value, name, within) {
    const count = readers.int(value, name, within);
    if (count >= 0) return count;
    throw new ServerError('BadValue', `BSON field '${name}' value must be >= 0, actual value '${count}'`);
  },
  double: only(['long', 'int', 'decimal', 'double'], toNumber),
  int32: only(['int'], toNumber),
  long: only(['long'], toBigInt),
  objectOrString: only(['string', 'object'], (value) =>
    value.type === bsonTypes.string ? textOf(value) : documentOf(value),
  ),
  hint: hintOf,
  timestamp: only(['timestamp'], (value) => value),
  uuid(value, name, within) {
    if (!isUuidType(value)) throw wrongType(value, `${within}.${name}`, ['binData']);
    checkIsUuid(value);
    return value;
  },
  any: (value) => value,
  value: (value) => value,
};

const arrayOf = only(['array'], entriesOf);

/** The kinds whose readers receive null. For all other kinds, null counts as absent. */
const readsNull: ReadonlySet<unknown> = new Set([
  readers.collection,
  readers.stages,
  readers.flag,
  readers.timestamp,
  readers.value,
]);

function only<T>(types: readonly TypeName[], read: (value: Value) => T): Reader<T> {
  const codes = new Set<number>(types.map((type) => bsonTypes[type]));
  return (value, name, within) => {
    if (codes.has(value.type)) return read(value);
    throw wrongType(value, `${within}.${name}`, types);
  };
}

/** Truncates doubles, and rounds decimals half to even. NaN becomes 0. */
export function truncated(value: Value): number {
  const number = toInteger(value);
  return Number.isNaN(number) ? 0 : number + 0;
}

export function wrongType(value: Value, field: string, types: readonly TypeName[]): ServerError {
  const expected =
    types.length === 1 ? `expected type '${types[0]}'` : `expected types '[${types.join(', ')}]'`;
  const message = `BSON field '${field}' is the wrong type '${typeName(value.type)}', ${expected}`;
  return new ServerError('TypeMismatch', message);
}

function unknownField(within: string, name: string): ServerError {
  return new ServerError(40415, `BSON field '${within}.${name}' is an unknown field.`);
}

export function missingField(within: string, name: string): ServerError {
  return new ServerError(40414, `BSON field '${within}.${name}' is missing but a required field`);
}

function duplicateField(within: string, name: string): ServerError {
  return new ServerError(40413, `BSON field '${within}.${name}' is a duplicate field`);
}
