import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { type Document, deserialize, serialize } from 'bson';
import { ServerError } from '../errors/server-error.ts';
import { bsonTypes, isNumberType, type TypeName, typeName } from './bson-types.ts';
import { compareSpans, copySpan, findNul, readInt32, valueEnd } from './bytes.ts';
import { toBigInt, toInteger, truthOfNumber } from './numbers/convert.ts';
import { steps } from './turns.ts';
import { validate } from './validate.ts';
import { boolOf, type Element, elementAt, isAbsent, textOf, Value } from './value.ts';

/**
 * A document or array in a buffer: `length` bytes from `offset` on. Values are decoded only when they are read. Looking
 * up a field compares names and skips the values between them.
 */
export class RawDocument implements Iterable<Element> {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly length: number;

  /**
   * Metadata of this document that a query computes, such as a text score (`language/metadata.ts`). The fields of the
   * document do not contain the metadata.
   */
  metadata: object | undefined = undefined;

  /** Expects valid bytes. Use `of` or `from` for untrusted input. */
  constructor(bytes: Uint8Array, offset = 0, length = readInt32(bytes, offset)) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  static readonly empty = new RawDocument(Uint8Array.of(5, 0, 0, 0, 0));

  /**
   * Validates all lengths, terminators and names. Throws `InvalidBSON`, `BSONObjectTooLarge` or `Overflow`. Throws
   * `FailedToParse` if there are more than `maxFields` fields, apart from those of nested documents.
   */
  static of(bytes: Uint8Array, maxFields?: number): RawDocument {
    validate(bytes, maxFields);
    return new RawDocument(bytes, 0, bytes.length);
  }

  /** Encodes plain objects and classes of `bson`. Omits `undefined` fields. */
  static from(object: Document): RawDocument {
    const { buffer, byteOffset, byteLength } = serialize(object);
    return new RawDocument(new Uint8Array(buffer, byteOffset, byteLength), 0, byteLength);
  }

  /** Decodes int64 as `bigint`, int32 and double as `number`, and other types as classes of `bson`. */
  toObject(): Document {
    return deserialize(this.toBytes(), { useBigInt64: true, bsonRegExp: true, promoteBuffers: false });
  }

  /** Returns the bytes of this document, which share memory with the buffer. */
  toBytes(): Uint8Array {
    if (this.offset === 0 && this.length === this.bytes.length) return this.bytes;
    return this.bytes.subarray(this.offset, this.offset + this.length);
  }

  /**
   * Returns a document for long-term storage: this document if it fills at least half of its buffer, otherwise a copy.
   * Storing a small part of a buffer would keep the whole buffer in memory. The copy has the same metadata.
   */
  compact(): RawDocument {
    if (this.length * 2 >= this.bytes.buffer.byteLength) return this;
    const copy = new RawDocument(copySpan(this.bytes, this.offset, this.offset + this.length));
    copy.metadata = this.metadata;
    return copy;
  }

  toValue(type: number = bsonTypes.object): Value {
    return new Value(type, this.bytes, this.offset, this.offset + this.length);
  }

  get isEmpty(): boolean {
    return this.length === 5;
  }

  /** This is not a generator, because resuming a generator takes longer than reading an element. */
  [Symbol.iterator](): Iterator<Element, undefined> {
    const { bytes } = this;
    let at = this.offset + 4;
    return {
      next() {
        const value = elementAt(bytes, at);
        if (value === undefined) return { done: true, value };
        at = value.end;
        return { done: false, value };
      },
    };
  }

  /** Returns the number of fields. Does not make a list of them, because there may be eight million. */
  count(): number {
    let count = 0;
    for (let at = this.first(); at !== undefined; at = this.after(at)) count++;
    return count;
  }

  /**
   * Calls `read` for each field before it looks for the next field. Both count as work, so other statements can run
   * even if there are many fields.
   */
  map<T>(read: (element: Element) => T): T[] {
    const all: T[] = [];
    for (let at = this.first(); at !== undefined; at = this.after(at)) all.push(read(at));
    return all;
  }

  first(): Element | undefined {
    return elementAt(this.bytes, this.offset + 4);
  }

  /** Returns the element after the given element of this document. */
  after(element: Element): Element | undefined {
    return elementAt(this.bytes, element.end);
  }

  get(name: string): Value | undefined {
    return findField(this.bytes, this.offset, encodeName(name));
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** True if the bytes are equal. Field order and number types matter. */
  equals(other: RawDocument): boolean {
    return (
      compareSpans(
        this.bytes,
        this.offset,
        this.offset + this.length,
        other.bytes,
        other.offset,
        other.offset + other.length,
      ) === 0
    );
  }

  // The following methods read command fields. They return `undefined` if the field is absent or null. A field of
  // another type throws `TypeMismatch` with the name `within.name`, where `within` is the command.

  string(name: string, within?: string): string | undefined {
    const value = this.#present(name);
    if (value === undefined) return undefined;
    if (value.type !== bsonTypes.string) throw wrongType(value, name, within, ['string']);
    return textOf(value);
  }

  /** Returns a number of any type as an integer, converted as the server does. */
  int(name: string, within?: string): number | undefined {
    const value = this.#present(name);
    if (value === undefined) return undefined;
    if (!isNumberType(value.type)) throw wrongType(value, name, within, ['long', 'int', 'decimal', 'double']);
    return toInteger(value);
  }

  /** Returns a number of any type, truncated to an integer and clamped to int64. */
  long(name: string, within?: string): bigint | undefined {
    const value = this.#present(name);
    if (value === undefined) return undefined;
    if (!isNumberType(value.type)) throw wrongType(value, name, within, ['long', 'int', 'decimal', 'double']);
    return toBigInt(value);
  }

  /** Returns a boolean. A number counts as true unless it is zero. */
  bool(name: string, within?: string): boolean | undefined {
    const value = this.#present(name);
    if (value === undefined) return undefined;
    if (value.type === bsonTypes.bool) return boolOf(value);
    if (isNumberType(value.type)) return truthOfNumber(value);
    throw wrongType(value, name, within, ['bool', 'long', 'int', 'decimal', 'double']);
  }

  document(name: string, within?: string): RawDocument | undefined {
    const value = this.#present(name);
    if (value === undefined) return undefined;
    if (value.type !== bsonTypes.object) throw wrongType(value, name, within, ['object']);
    return documentOf(value);
  }

  /** Returns the entries of an array. */
  array(name: string, within?: string): Value[] | undefined {
    const value = this.#present(name);
    if (value === undefined) return undefined;
    if (value.type !== bsonTypes.array) throw wrongType(value, name, within, ['array']);
    return entriesOf(value);
  }

  /** Returns the entries of an array of documents. */
  documents(name: string, within?: string): RawDocument[] | undefined {
    return this.array(name, within)?.map((entry, i) => {
      if (entry.type !== bsonTypes.object) throw wrongType(entry, `${name}.${i}`, within, ['object']);
      return documentOf(entry);
    });
  }

  #present(name: string): Value | undefined {
    const value = this.get(name);
    return value === undefined || isAbsent(value) ? undefined : value;
  }
}

export { elementAt };

export function documentOf(value: Value): RawDocument {
  return new RawDocument(value.bytes, value.start, value.end - value.start);
}

export function entriesOf(value: Value): Value[] {
  return [...documentOf(value)];
}

/** Long names are not cached, because a name may have 16 MB. */
const encodedNames = new BoundedCache<string, Uint8Array>({ entries: 4096, longestKey: 256 });
const encode = (name: string) => new Uint8Array(Buffer.from(name));

/** Returns the UTF-8 bytes of a field name, cached because queries use few names. */
export function encodeName(name: string): Uint8Array {
  return encodedNames.of(name, encode);
}

/** While a search skips fields, it counts its work after this many fields. */
const PASSED_AT_ONCE = 512;

/** Returns the first field with this name in the document at `offset`. */
export function findField(bytes: Uint8Array, offset: number, name: Uint8Array): Value | undefined {
  const length = name.length;
  let at = offset + 4;
  for (let passed = 0; ; passed++) {
    if (passed === PASSED_AT_ONCE) {
      steps(passed);
      passed = 0;
    }
    const type = bytes[at] as number;
    if (type === 0) {
      steps(passed);
      return undefined;
    }
    at++;
    let matched = 0;
    while (matched < length && bytes[at + matched] === name[matched]) matched++;
    const nameEnd = findNul(bytes, at + matched);
    const end = valueEnd(bytes, type, nameEnd + 1);
    if (matched === length && nameEnd === at + length) {
      steps(passed);
      return new Value(type, bytes, nameEnd + 1, end);
    }
    at = end;
  }
}

function wrongType(
  value: Value,
  name: string,
  within: string | undefined,
  expected: TypeName[],
): ServerError {
  const field = within === undefined ? name : `${within}.${name}`;
  const wanted =
    expected.length === 1 ? `expected type '${expected[0]}'` : `expected types '[${expected.join(', ')}]'`;
  return new ServerError(
    'TypeMismatch',
    `BSON field '${field}' is the wrong type '${typeName(value.type)}', ${wanted}`,
  );
}
