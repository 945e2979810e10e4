import { bsonTypes } from '../../../bson/bson-types.ts';
import { ByteWriter } from '../../../bson/byte-writer.ts';
import { writeText } from '../../../bson/keys.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { boolOf, int32Of, int64Of, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

/*
 * Writes those parts of the server's KeyString format that resume tokens use. In this format, bytes sort like the
 * values: https://github.com/mongodb/mongo/blob/master/src/mongo/db/storage/key_string/README.md
 */

const kinds = {
  null: 20,
  negative1: 39,
  zero: 41,
  positive1: 43,
  string: 60,
  object: 70,
  binData: 90,
  objectId: 100,
  no: 110,
  yes: 111,
  date: 120,
  timestamp: 130,
  end: 4,
} as const;

export class KeyStringWriter {
  readonly #bytes = new ByteWriter();

  /** Writes an integer, whose absolute value must be below 2^52. */
  integer(value: number): void {
    if (value === 0) {
      this.#bytes.byte(kinds.zero);
      return;
    }
    let rest = Math.abs(value) * 2;
    const digits: number[] = [];
    for (; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
    const [kind, flip] =
      value > 0 ? [kinds.positive1 + digits.length - 1, 0] : [kinds.negative1 - digits.length + 1, 0xff];
    this.#bytes.byte(kind);
    for (const digit of digits) this.#bytes.byte(digit ^ flip);
  }

  bool(value: boolean): void {
    this.#bytes.byte(value ? kinds.yes : kinds.no);
  }

  null(): void {
    this.#bytes.byte(kinds.null);
  }

  timestamp(value: Value): void {
    this.#bytes.byte(kinds.timestamp);
    this.#bytes.span(value.bytes.slice(value.start, value.end).reverse());
  }

  object(document: RawDocument): void {
    this.#bytes.byte(kinds.object);
    for (const element of document) {
      this.#bytes.byte(kindOf(element));
      this.#bytes.span(element.bytes, element.nameStart, element.nameEnd);
      this.#bytes.byte(0);
      this.value(element);
    }
    this.#bytes.byte(0);
  }

  /** Writes a value for which `isWritable` returns true. */
  value(value: Value): void {
    const { type, bytes, start, end } = value;
    if (type === bsonTypes.object) this.object(documentOf(value));
    else if (type === bsonTypes.int) this.integer(int32Of(value));
    else if (type === bsonTypes.bool) this.bool(boolOf(value));
    else if (type === bsonTypes.string) {
      this.#bytes.byte(kinds.string);
      writeText(this.#bytes, bytes, start + 4, end - 1);
    } else if (type === bsonTypes.date) this.#date(int64Of(value));
    else if (type === bsonTypes.binData) {
      this.#bytes.byte(kinds.binData);
      this.#bytes.byte(bytes[start] as number);
      this.#bytes.span(bytes, start + 4, end);
    } else {
      this.#bytes.byte(kindOf(value));
      this.#bytes.span(bytes, start, end);
    }
  }

  #date(ms: bigint): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt.asUintN(64, ms) ^ (1n << 63n));
    this.#bytes.byte(kinds.date);
    this.#bytes.span(bytes);
  }

  finish(): Uint8Array {
    this.#bytes.byte(kinds.end);
    return this.#bytes.finish();
  }
}

const writable: ReadonlyMap<number, number> = new Map([
  [bsonTypes.null, kinds.null],
  [bsonTypes.int, kinds.positive1],
  [bsonTypes.string, kinds.string],
  [bsonTypes.object, kinds.object],
  [bsonTypes.binData, kinds.binData],
  [bsonTypes.objectId, kinds.objectId],
  [bsonTypes.bool, kinds.no],
  [bsonTypes.date, kinds.date],
]);

/** True for the types that most keys have. The format of other types is more complex, and is not implemented. */
export function isWritable(value: Value): boolean {
  if (value.type === bsonTypes.object) return [...documentOf(value)].every(isWritable);
  const short = value.type !== bsonTypes.binData || (value.bytes[value.start + 1] ?? 0) === 0;
  return short && writable.has(value.type);
}

/** Returns the type byte before a field name. All number types share one byte, and so do both booleans. */
function kindOf({ type }: Value): number {
  return type === bsonTypes.int ? NUMERIC : (writable.get(type) ?? kinds.null);
}

const NUMERIC = 30;

/** Reads values in the format of the writer. */
export class KeyStringReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#bytes[this.#at] === kinds.end;
  }

  /** Reads an integer. Returns undefined if the next value is not an integer. */
  integer(): number | undefined {
    const kind = this.#bytes[this.#at] ?? 0;
    if (kind === kinds.zero) {
      this.#at++;
      return 0;
    }
    const length = kind - kinds.positive1 + 1;
    if (length < 1 || length > 6) return undefined;
    this.#at++;
    let value = 0;
    for (let i = 0; i < length; i++) value = value * 256 + this.#byte();
    return value / 2;
  }

  bool(): boolean | undefined {
    const kind = this.#bytes[this.#at];
    if (kind !== kinds.no && kind !== kinds.yes) return undefined;
    this.#at++;
    return kind === kinds.yes;
  }

  /** Returns the seconds and the increment of a timestamp as one number. */
  timestamp(): bigint | undefined {
    if (this.#bytes[this.#at] !== kinds.timestamp) return undefined;
    this.#at++;
    let value = 0n;
    for (let i = 0; i < 8; i++) value = (value << 8n) | BigInt(this.#byte());
    return value;
  }

  /** Skips a value of any type. */
  skip(): void {
    const kind = this.#byte();
    if (kind === kinds.string) this.#skipText();
    else if (kind === kinds.object) this.#skipObject();
    else if (kind === kinds.binData) this.#at += (this.#bytes[this.#at] ?? 0) + 2;
    else if (kind === kinds.objectId) this.#at += 12;
    else if (kind === kinds.date || kind === kinds.timestamp) this.#at += 8;
    else if (kind > kinds.zero && kind < kinds.positive1 + 8) this.#at += kind - kinds.positive1 + 1;
    else if (kind < kinds.zero && kind > kinds.negative1 - 8) this.#at += kinds.negative1 - kind + 1;
    else if (!simple.has(kind)) throw unknownKind(kind);
  }

  #skipObject(): void {
    while (this.#byte() !== 0) {
      this.#toTerminator();
      this.skip();
    }
  }

  #skipText(): void {
    for (;;) {
      this.#toTerminator();
      if (this.#bytes[this.#at] !== 0xff) return;
      this.#at++;
    }
  }

  /** Skips the bytes up to the next zero, and the zero. */
  #toTerminator(): void {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) throw new ServerError(50_816, 'Failed to find null terminator in string.');
    this.#at = end + 1;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new ServerError('Overflow', 'the resume token ends too early');
    return byte;
  }
}

const simple: ReadonlySet<number> = new Set([kinds.null, kinds.zero, kinds.no, kinds.yes]);

export function unknownKind(kind: number | undefined): ServerError {
  return new ServerError(50_811, `Unknown type: ${kind ?? 0}`);
}
