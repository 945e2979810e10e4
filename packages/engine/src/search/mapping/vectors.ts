import { bsonTypes, isNumberType } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { keys, type VectorMapping } from './field.ts';

/** The type of the elements. An array of numbers is a `float` vector. */
export type VectorKind = 'float' | 'int8' | 'bit';

export interface Vector {
  readonly kind: VectorKind;
  /** The elements; a `bit` vector has one number per bit. */
  readonly values: Float32Array;
}

const VECTOR_SUBTYPE = 9;
const types: Readonly<Record<number, VectorKind>> = { 39: 'float', 3: 'int8', 16: 'bit' };

/** Reads a vector from a value. Returns undefined if the value is not a vector, or an array of more than `most` entries. */
export function vectorOf(value: Value, most = Number.POSITIVE_INFINITY): Vector | undefined {
  if (value.type === bsonTypes.array) return ofNumbers(value, most);
  if (value.type !== bsonTypes.binData || value.bytes[value.start + 4] !== VECTOR_SUBTYPE) return undefined;
  const data = value.bytes.subarray(value.start + 5, value.end);
  const kind = types[data[0] as number];
  if (kind === undefined || data.length < 2) return undefined;
  return { kind, values: unpacked(kind, data.subarray(2), data[1] as number) };
}

function ofNumbers(value: Value, most: number): Vector | undefined {
  const values: number[] = [];
  for (const entry of documentOf(value)) {
    if (values.length === most) return undefined;
    if (!isNumberType(entry.type) || entry.type === bsonTypes.decimal) return undefined;
    values.push(toNumber(entry));
  }
  return { kind: 'float', values: Float32Array.from(values) };
}

function unpacked(kind: VectorKind, data: Uint8Array, padding: number): Float32Array {
  if (kind === 'int8') return Float32Array.from(data, (byte) => (byte << 24) >> 24);
  if (kind === 'bit') {
    const bits = Math.max(0, data.length * 8 - padding);
    return Float32Array.from({ length: bits }, (_, at) => ((data[at >> 3] as number) >> (7 - (at & 7))) & 1);
  }
  // Pass the offset, because `data` is a part of a larger buffer.
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return Float32Array.from({ length: data.length >> 2 }, (_, at) => view.getFloat32(at * 4, true));
}

/** Encodes a vector for a segment. Returns undefined if the vector does not fit the field. */
export function vectorBytes(value: Value, { dimensions, similarity }: VectorMapping) {
  const vector = vectorOf(value, dimensions);
  if (vector === undefined || vector.values.length !== dimensions) return undefined;
  const { kind, values } = vector;
  if (!values.every(Number.isFinite)) return undefined;
  if (kind !== 'bit' && similarity === 'cosine' && !values.some((one) => one !== 0)) return undefined;
  return { bytes: new Uint8Array(values.buffer), key: (path: string) => vectorKey(path, kind) };
}

export function vectorKey(path: string, kind: VectorKind): string {
  return kind === 'float' ? keys.vector(path) : `${keys.vector(path)}\0${kind}`;
}
