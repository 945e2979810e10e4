import { bsonTypes, isNumberType } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, textOf, type Value } from '../../bson/value.ts';
import { searchError } from './errors.ts';

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
  /** A lower bound that is not a valid value itself. */
  readonly above?: number;
}

const INT_MAX = 2_147_483_647;

/**
 * Reads a document of a search field by field. `finish` throws if fields are left that were not read. Null counts as
 * absent.
 */
export class Spec {
  readonly doc: RawDocument;
  /** The path of the document in error messages. */
  readonly at: string;
  readonly #read = new Set<string>();

  constructor(doc: RawDocument, at: string) {
    this.doc = doc;
    this.at = at;
  }

  static of(value: Value, at: string): Spec {
    if (value.type !== bsonTypes.object) throw wrong(at, 'document');
    return new Spec(documentOf(value), at);
  }

  /** Returns the path of a field in error messages. */
  name(field: string): string {
    return this.at === '' ? field : `${this.at}.${field}`;
  }

  get names(): string[] {
    return [...this.doc].map(({ name }) => name);
  }

  /** Returns the value of a field, even if it is null. */
  raw(field: string): Value | undefined {
    this.#read.add(field);
    return this.doc.get(field);
  }

  value(field: string): Value | undefined {
    const value = this.raw(field);
    return value?.type === bsonTypes.null ? undefined : value;
  }

  required(field: string): Value {
    const value = this.value(field);
    if (value === undefined) throw searchError(`"${this.name(field)}" is required`);
    return value;
  }

  string(field: string): string | undefined {
    const value = this.value(field);
    return value && stringOf(value, this.name(field));
  }

  requiredString(field: string): string {
    return stringOf(this.required(field), this.name(field));
  }

  /** Reads a string or an array of strings. */
  strings(field: string): string[] {
    const value = this.required(field);
    const name = this.name(field);
    if (value.type !== bsonTypes.array) return [stringOf(value, name)];
    const all = documentOf(value).map((entry) => stringOf(entry, `${name}[${entry.name}]`));
    if (all.length === 0) throw searchError(`"${name}" cannot be empty`);
    return all;
  }

  oneOf<T extends string>(field: string, known: readonly T[]): T | undefined {
    const text = this.string(field);
    if (text === undefined) return undefined;
    const found = known.find((one) => one === text);
    if (found === undefined) throw searchError(`"${this.name(field)}" must be one of [${known.join(', ')}]`);
    return found;
  }

  bool(field: string): boolean | undefined {
    const value = this.value(field);
    if (value === undefined) return undefined;
    if (value.type !== bsonTypes.bool) throw wrong(this.name(field), 'boolean');
    return boolOf(value);
  }

  int(field: string, bounds: Bounds = {}): number | undefined {
    const value = this.value(field);
    return value && intOf(value, this.name(field), bounds);
  }

  requiredInt(field: string, bounds: Bounds = {}): number {
    return intOf(this.required(field), this.name(field), bounds);
  }

  number(field: string, bounds: Bounds = {}): number | undefined {
    const value = this.value(field);
    if (value === undefined) return undefined;
    const name = this.name(field);
    if (!isNumberType(value.type) || value.type === bsonTypes.decimal) throw wrong(name, 'number');
    return within(toNumber(value), name, bounds);
  }

  requiredNumber(field: string, bounds: Bounds = {}): number {
    this.required(field);
    return this.number(field, bounds) as number;
  }

  document(field: string): Spec | undefined {
    const value = this.value(field);
    return value && Spec.of(value, this.name(field));
  }

  requiredDocument(field: string): Spec {
    return Spec.of(this.required(field), this.name(field));
  }

  /** Reads a document or a non-empty array of documents. */
  documents(field: string): Spec[] | undefined {
    const value = this.value(field);
    if (value === undefined) return undefined;
    const name = this.name(field);
    if (value.type !== bsonTypes.array) return [Spec.of(value, name)];
    const all = documentOf(value).map((entry) => Spec.of(entry, `${name}[${entry.name}]`));
    if (all.length === 0) throw searchError(`"${name}" cannot be empty`);
    return all;
  }

  requiredDocuments(field: string): Spec[] {
    this.required(field);
    return this.documents(field) as Spec[];
  }

  /** Throws if the document has fields that were not read. */
  finish(): void {
    for (const { name } of this.doc) {
      if (!this.#read.has(name))
        throw searchError(`${this.at === '' ? '' : `"${this.at}" `}unrecognized field "${name}"`);
    }
  }
}

function stringOf(value: Value, name: string): string {
  if (value.type !== bsonTypes.string) throw wrong(name, 'string');
  return textOf(value);
}

export function intOf(value: Value, name: string, bounds: Bounds = {}): number {
  if (!isNumberType(value.type) || value.type === bsonTypes.decimal) throw wrong(name, 'integer');
  const number = toNumber(value);
  if (!Number.isInteger(number)) throw wrong(name, 'integer');
  if (Math.abs(number) > INT_MAX) throw searchError(`"${name}" must fit in 32-bit integer`);
  return within(number, name, bounds);
}

function within(number: number, name: string, { min, max, above }: Bounds): number {
  if (above !== undefined && !(number > above)) {
    throw searchError(`"${name}" must be ${above === 0 ? 'positive' : `greater than ${above}`}`);
  }
  if (min !== undefined && max !== undefined && !(number >= min && number <= max)) {
    throw searchError(`"${name}" must be within bounds [${min}-${max}]`);
  }
  if (min !== undefined && !(number >= min))
    throw searchError(`"${name}" must be ${min === 0 ? 'nonnegative' : `at least ${min}`}`);
  return number;
}

export function wrong(name: string, expected: string): Error {
  return searchError(`"${name}" must be a ${expected}`.replace('a integer', 'an integer'));
}
