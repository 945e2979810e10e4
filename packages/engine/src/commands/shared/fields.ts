import { bsonTypes, type TypeName, typeName } from '../../bson/bson-types.ts';
import { toBigInt, toInteger, toNumber, truthOfNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, isAbsent, isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { hintOf } from './hint.ts';
import { checkIsUuid, isUuidType } from './uuid-value.ts';

/**
 * Declarative tables of command fields and nested documents: name to kind. One table provides validation of names and
 * types with the server's error codes, and the TypeScript type of the result. A kind with a trailing `!` is required. A
 * null field counts as absent, as does the deprecated type `undefined`.
 */
interface Kinds {
  /** A collection name. */
  collection: string;
  string: string;
  object: RawDocument;
  array: readonly Value[];
  documents: readonly RawDocument[];
  /** Like `documents`, but null is a wrong type. */
  stages: readonly RawDocument[];
  bool: boolean;
  /** Like `bool`, but null is a wrong type. */
  flag: boolean;
  /** A boolean or a number. */
  truth: boolean;
  /** Any type: everything except false, zero and null is true. */
  loose: boolean;
  /** Any number, truncated to an integer. */
  int: number;
  /** Any non-negative number, truncated to an integer. */
  count: number;
  /** Any number, as the nearest double. */
  double: number;
  /** Exactly an int32. */
  int32: number;
  /** Exactly an int64. */
  long: bigint;
  number: Value;
  objectOrString: RawDocument | string;
  /** Like `objectOrString`, but other types have the code of a parser. */
  hint: RawDocument | string;
  timestamp: Value;
  /** Binary data of the subtype UUID. */
  uuid: Value;
  any: Value;
  /** Any type, including null. */
  value: Value;
}

type Kind = keyof Kinds;
type FieldKind = Kind | `${Kind}!`;

/** A type with codes of its own, for the fields of a few commands (`field-types.ts`). */
export interface FieldType<T> {
  read(value: Value, name: string, within: string): T;
  /** Null is read too; otherwise it counts as absent. */
  readonly readsNull?: boolean;
}

/** Such a type for a field that must be present. */
export interface RequiredType<T> extends FieldType<T> {
  /** The error if the field is absent. */
  missing(): ServerError;
}

export type FieldTable = Readonly<Record<string, FieldKind | FieldType<unknown>>>;

type Required = `${string}!` | RequiredType<unknown>;
type Given<T> =
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
  /** `sequences` are fields in document sequence sections of the message. */
  read(document: RawDocument, sequences?: ReadonlyMap<string, readonly RawDocument[]>): Fields<T>;
}

/**
 * Creates a reader for a table. `within` is the document's name in error messages (`find`, `update.updates`); fields
 * for which `others` returns true are ignored.
 */
export function fields<const T extends FieldTable>(
  within: string,
  table: T,
  others: (name: string) => boolean = () => false,
): FieldReader<T> {
  const known = new Map(Object.entries(table).map(([name, kind]) => [name, typeOf(kind)]));
  const required = [...known].flatMap(([name, { missing }]) => (missing ? [{ name, missing }] : []));
  return {
    read(document, sequences) {
      const found: Record<string, unknown> = Object.create(null);
      for (const [name, documents] of sequences ?? []) {
        if (known.get(name)?.read !== readers.documents) throw unknownField(within, name);
        found[name] = documents;
      }
      const seen = new Set<string>(sequences?.keys());
      for (const element of document) {
        const { name } = element;
        if (seen.has(name)) throw duplicateField(within, name);
        seen.add(name);
        const type = known.get(name);
        if (type === undefined && !others(name)) throw unknownField(within, name);
        if (type === undefined || (isAbsent(element) && type.readsNull !== true)) continue;
        found[name] = type.read(element, name, within);
      }
      for (const { name, missing } of required) {
        if (found[name] === undefined) throw missing(within, name);
      }
      return found as Fields<T>;
    },
  };
}

interface DeclaredType extends FieldType<unknown> {
  readonly missing?: (within: string, name: string) => ServerError;
}

function typeOf(declared: FieldKind | FieldType<unknown>): DeclaredType {
  if (typeof declared !== 'string') return declared;
  const kind = declared.replace('!', '') as Kind;
  const read: Reader<unknown> = readers[kind];
  const type = { read, readsNull: readsNull.has(read) };
  return kind === declared ? type : { ...type, missing: missingField };
}

type Reader<T> = (value: Value, name: string, within: string) => T;

const readers: { readonly [K in Kind]: Reader<Kinds[K]> } = {
  collection(value) {
    if (value.type === bsonTypes.string) return textOf(value);
    throw new ServerError('InvalidNamespace', `collection name has invalid type ${typeName(value.type)}`);
  },
  string: only(['string'], textOf),
  object: only(['object'], documentOf),
  array: only(['array'], entriesOf),
  documents(value, name, within) {
    const entries = readers.array(value, name, within);
    return entries.map((entry, i) => readers.object(entry, `${name}.${i}`, within));
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
  number: only(['long', 'int', 'decimal', 'double'], (value) => value),
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

/** Kinds that handle null themselves. */
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

/** Doubles are truncated, decimals rounded half to even; NaN is 0. */
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

function missingField(within: string, name: string): ServerError {
  return new ServerError(40414, `BSON field '${within}.${name}' is missing but a required field`);
}

function duplicateField(within: string, name: string): ServerError {
  return new ServerError(40413, `BSON field '${within}.${name}' is a duplicate field`);
}
