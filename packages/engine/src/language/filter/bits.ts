import { bsonTypes } from '../../bson/bson-types.ts';
import { exactInteger, nonNegative } from '../../bson/numbers/integers.ts';
import { entriesOf } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { leaf, type OperatorTable } from './operator.ts';

export const bitOperators: OperatorTable = {
  $bitsAllSet: operator((bits, isSet) => bits.every(isSet)),
  $bitsAllClear: operator((bits, isSet) => !bits.some(isSet)),
  $bitsAnySet: operator((bits, isSet) => bits.some(isSet)),
  $bitsAnyClear: operator((bits, isSet) => !bits.every(isSet)),
};

type BitTest = (bit: number) => boolean;

function operator(holds: (bits: readonly number[], isSet: BitTest) => boolean): OperatorTable[string] {
  return (operand, path, context) => {
    const bits = parseBits(operand);
    return leaf(
      '$bits',
      path,
      (value) => {
        const isSet = value === undefined ? undefined : bitsOf(value);
        return isSet !== undefined && holds(bits, isSet);
      },
      context,
    );
  };
}

/**
 * Returns the bit positions that a list contains, or the positions of the bits that are set in a number or in
 * binary data.
 */
function parseBits(operand: Value): readonly number[] {
  if (operand.type === bsonTypes.array) return entriesOf(operand).map(parsePosition);
  if (operand.type === bsonTypes.binData) {
    const isSet = bitOfBinary(operand);
    return positions((operand.end - operand.start - 5) * 8).filter(isSet);
  }
  if (!isNumber(operand)) {
    throw new ServerError('BadValue', 'bit operators take an Array, a number, or a BinData');
  }
  const mask = nonNegative(operand, 'bit mask');
  return positions(64).filter((bit) => (mask >> BigInt(bit)) & 1n);
}

function positions(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

function parsePosition(value: Value): number {
  const position = isNumber(value) ? exactInteger(value) : undefined;
  if (position === undefined || position < 0n || position > 0x7fffffffn) {
    throw new ServerError('BadValue', 'bit positions must be an integer >= 0');
  }
  return Number(position);
}

/** Numbers are sign-extended, binary data zero-extended. */
function bitsOf(value: Value): BitTest | undefined {
  if (value.type === bsonTypes.binData) return bitOfBinary(value);
  const whole = isNumber(value) ? exactInteger(value) : undefined;
  if (whole === undefined) return undefined;
  return (bit) => ((whole >> BigInt(Math.min(bit, 63))) & 1n) === 1n;
}

function bitOfBinary({ bytes, start, end }: Value): BitTest {
  return (bit) => {
    const at = start + 5 + (bit >> 3);
    return at < end && (((bytes[at] as number) >> (bit & 7)) & 1) === 1;
  };
}
