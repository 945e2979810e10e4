import { bsonTypes } from './bson-types.ts';
import { findNul } from './bytes.ts';
import { keysOfType } from './keys.ts';
import { numberKeyEnd, readNumberKey } from './numbers/key.ts';
import { date, maxKey, minKey, nullValue, timestamp, Value } from './value.ts';

/** Types by their byte in keys (see keys.ts). */
const places = new Map<number, number>();
for (const type of [
  bsonTypes.minKey,
  bsonTypes.null,
  bsonTypes.double,
  bsonTypes.string,
  bsonTypes.binData,
  bsonTypes.objectId,
  bsonTypes.bool,
  bsonTypes.date,
  bsonTypes.timestamp,
  bsonTypes.maxKey,
]) {
  places.set(keysOfType(type).low[0] as number, type);
}

/** Reads the values of a compound key in order, the inverse of `encodeCompoundKey`. */
export class KeyReader {
  #key: Uint8Array;
  #at = 0;
  #inverted = false;
  /** True after a value whose end cannot be determined. Nothing after it can be read. */
  lost = false;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /**
   * Returns the next value, which was encoded in the given direction. Numbers get the type `numberType`.
   * Strings and symbols have the same key and are returned as strings. Returns undefined if the key does not
   * determine the value.
   */
  next(direction: 1 | -1, numberType: number | undefined): Value | undefined {
    if (this.lost) return undefined;
    if ((direction === -1) !== this.#inverted) {
      this.#key = this.#key.map((byte) => ~byte);
      this.#inverted = !this.#inverted;
    }
    return this.#read(places.get(this.#key[this.#at++] as number), numberType);
  }

  #read(type: number | undefined, numberType: number | undefined): Value | undefined {
    switch (type) {
      case bsonTypes.minKey:
        return minKey;
      case bsonTypes.null:
        return nullValue;
      case bsonTypes.double:
        return this.#number(numberType);
      case bsonTypes.string:
        return this.#text();
      case bsonTypes.binData:
        return this.#binary();
      case bsonTypes.objectId:
        return this.#span(bsonTypes.objectId, 12);
      case bsonTypes.bool:
        return this.#span(bsonTypes.bool, 1);
      case bsonTypes.date:
        return date(BigInt.asIntN(64, this.#uint64() ^ (1n << 63n)));
      case bsonTypes.timestamp: {
        const seconds = this.#uint32();
        return timestamp(seconds, this.#uint32());
      }
      case bsonTypes.maxKey:
        return maxKey;
      default:
        this.lost = true;
        return undefined;
    }
  }

  #number(type: number | undefined): Value | undefined {
    const start = this.#at;
    this.#at = numberKeyEnd(this.#key, start);
    return type === undefined ? undefined : readNumberKey(this.#key, start, type);
  }

  #span(type: number, length: number): Value {
    const start = this.#at;
    this.#at += length;
    return new Value(type, this.#key, start, this.#at);
  }

  /** Reads a text. It ends at the first `0x00` without a `0xff` after it. */
  #text(): Value {
    const key = this.#key;
    const start = this.#at;
    let nuls = 0;
    let end = findNul(key, start);
    for (; key[end + 1] === 0xff; end = findNul(key, end + 2)) nuls++;
    this.#at = end + 1;
    const length = end - start - nuls;
    const bytes = new Uint8Array(length + 5);
    new DataView(bytes.buffer).setInt32(0, length + 1, true);
    if (nuls === 0) bytes.set(key.subarray(start, end), 4);
    else {
      for (let from = start, to = 4; from < end; from++) {
        bytes[to++] = key[from] as number;
        if (key[from] === 0) from++;
      }
    }
    return new Value(bsonTypes.string, bytes, 0, bytes.length);
  }

  #binary(): Value {
    const length = this.#uint32();
    const start = this.#at;
    this.#at = start + 1 + length;
    const bytes = new Uint8Array(length + 5);
    new DataView(bytes.buffer).setInt32(0, length, true);
    bytes.set(this.#key.subarray(start, this.#at), 4);
    return new Value(bsonTypes.binData, bytes, 0, bytes.length);
  }

  #uint32(): number {
    let value = 0;
    for (let i = 0; i < 4; i++) value = value * 256 + (this.#key[this.#at++] as number);
    return value;
  }

  #uint64(): bigint {
    const high = BigInt(this.#uint32());
    return (high << 32n) | BigInt(this.#uint32());
  }
}
