import { bsonTypes } from '../../bson/bson-types.ts';
import { exactInteger, nonNegative } from '../../bson/numbers/integers.ts';
import { entriesOf } from '../../bson/raw.ts';
import { passes, step } from '../../bson/turns.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { leaf, type OperatorTable } from './operator.ts';

export const bitOperators: OperatorTable = {
  $bitsAllSet: operator((bits, isSet) => !bits((bit) => !isSet(bit))),
  $bitsAllClear: operator((bits, isSet) => !bits(isSet)),
  $bitsAnySet: operator((bits, isSet) => bits(isSet)),
  $bitsAnyClear: operator((bits, isSet) => bits((bit) => !isSet(bit))),
};

type BitTest = (bit: number) => boolean;

/** Returns true if the test is true for any of the wanted bits. */
type WantedBits = (test: BitTest) => boolean;

function operator(holds: (bits: WantedBits, isSet: BitTest) => boolean): OperatorTable[string] {
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

/** Parses a list of positions, or a number or binary data in which the wanted bits are set. */
function parseBits(operand: Value): WantedBits {
  if (operand.type === bsonTypes.array) return among(entriesOf(operand).map(parsePosition));
  if (operand.type === bsonTypes.binData) return bitsSetIn(operand);
  if (!isNumber(operand)) {
    throw new ServerError('BadValue', 'bit operators take an Array, a number, or a BinData');
  }
  const mask = nonNegative(operand, 'bit mask');
  return among(Array.from({ length: 64 }, (_, i) => i).filter((bit) => (mask >> BigInt(bit)) & 1n));
}

function among(positions: readonly number[]): WantedBits {
  return (test) =>
    positions.some((bit) => {
      step();
      return test(bit);
    });
}

/** Visits the set bits of a mask. Does not list them, because 16 MB have 134 million bits. */
function bitsSetIn({ bytes, start, end }: Value): WantedBits {
  const first = start + 5;
  return (test) => {
    for (let at = first; at < end; at++) {
      passes(8);
      for (let byte = bytes[at] as number, bit = (at - first) * 8; byte !== 0; byte >>= 1, bit++)
        if ((byte & 1) === 1 && test(bit)) return true;
    }
    return false;
  };
}

function parsePosition(value: Value): number {
  const position = isNumber(value) ? exactInteger(value) : undefined;
  if (position === undefined || position < 0n || position > 0x7fffffffn) {
    throw new ServerError('BadValue', 'bit positions must be an integer >= 0');
  }
  return Number(position);
}

/** Returns a test of single bits. Numbers are sign-extended, binary data zero-extended. */
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
