import { bsonTypes } from '../../bson/bson-types.ts';
import { passes } from '../../bson/turns.ts';
import { int32, isNumber, nullValue, string, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { ByteUnits, finder, TextUnits } from '../find-text.ts';
import { coercedText, int32Argument, longArgument } from './coerce.ts';
import type { ExpressionTable } from './expression.ts';
import { type Argument, isNullish, over, typeOf } from './operator.ts';
import { lengthInCodePoints } from './string.ts';

/** Operators on substrings and positions, counted in UTF-8 bytes or in code points. */
export const substringOperators: ExpressionTable = {
  $substr: over(3, substringOfBytes),
  $substrBytes: over(3, substringOfBytes),
  $substrCP: over(3, substringOfCodePoints),
  $indexOfBytes: over([2, 4], indexOfBytes),
  $indexOfCP: over([2, 4], indexOfCodePoints),
};

function substringOfBytes([value, from, count]: readonly Argument[], name: string): Value {
  const text = coercedText(value);
  const start = byteArgument(from, name, 16034, 'starting index');
  const length = byteArgument(count, name, 16035, 'length');
  if (start < 0n)
    throw new ServerError(50752, `${name}: starting index must be non-negative (got: ${start})`);
  const bytes = Buffer.from(text);
  const first = Number(start);
  const end = length < 0n ? bytes.length : Math.min(bytes.length, first + Number(length));
  if (isContinuation(bytes[first])) {
    throw new ServerError(28656, `${name}: Invalid range, starting index is a UTF-8 continuation byte.`);
  }
  if (isContinuation(bytes[end])) {
    throw new ServerError(
      28657,
      `${name}: Invalid range, ending index is in the middle of a UTF-8 character.`,
    );
  }
  return string(first >= bytes.length ? '' : bytes.toString('utf8', first, end));
}

function byteArgument(value: Argument, name: string, code: number, what: string): bigint {
  if (value === undefined || !isNumber(value)) {
    throw new ServerError(code, `${name}: ${what} must be a numeric type (is BSON type ${typeOf(value)})`);
  }
  return longArgument(value);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function substringOfCodePoints([value, from, count]: readonly Argument[], name: string): Value {
  const text = coercedText(value);
  const start = codePointArgument(from, name, [34450, 34451, 34455], 'starting index');
  const length = codePointArgument(count, name, [34452, 34453, 34454], 'length');
  if (length < 0) throw new ServerError(34454, `${name}: length must be a non-negative integer.`);
  if (start < 0) throw new ServerError(34455, `${name}: the starting index must be a non-negative integer.`);
  const first = placeOf(text, start);
  return string(text.slice(first, placeOf(text, length, first)));
}

/** Number of code points after which other statements can run. */
const PIECE = 4_096;

/** Returns the index in the text that lies `points` code points after `from`. */
function placeOf(text: string, points: number, from = 0): number {
  let at = from;
  for (let left = points; left > 0 && at < text.length; left--) {
    if (left % PIECE === 0) passes(PIECE);
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

function codePointArgument(
  value: Argument,
  name: string,
  [notNumber, notWhole]: readonly [number, number, number],
  what: string,
): number {
  if (value === undefined || !isNumber(value)) {
    throw new ServerError(
      notNumber,
      `${name}: ${what} must be a numeric type (is BSON type ${typeOf(value)})`,
    );
  }
  const whole = int32Argument(value);
  if (whole === undefined) {
    throw new ServerError(notWhole, `${name}: ${what} cannot be represented as a 32-bit integral value`);
  }
  return whole;
}

interface Search {
  readonly text: string;
  readonly token: string;
  readonly from: number;
  readonly to: number | undefined;
}

function indexOfBytes(args: readonly Argument[], name: string, statement: Statement): Value {
  const search = searchOf(args, name, 40091, 40092);
  if (search === undefined) return nullValue;
  const bytes = Buffer.from(search.text);
  const token = Buffer.from(search.token);
  const end = Math.min(search.to ?? bytes.length, bytes.length);
  if (search.from > end) return int32(-1);
  const find = finder(new ByteUnits(bytes.subarray(0, end)), new ByteUnits(token), statement);
  return int32(find(search.from));
}

function indexOfCodePoints(args: readonly Argument[], name: string, statement: Statement): Value {
  const search = searchOf(args, name, 40093, 40094);
  if (search === undefined) return nullValue;
  const { text, token, from } = search;
  const length = lengthInCodePoints(text);
  const end = Math.min(search.to ?? length, length);
  if (from > end) return int32(-1);
  const before = placeOf(text, from);
  const searched = text.slice(0, placeOf(text, end - from, before));
  const found = finder(new TextUnits(searched), new TextUnits(token), statement)(before);
  return int32(found < 0 ? -1 : lengthInCodePoints(text.slice(0, found)));
}

function searchOf(
  args: readonly Argument[],
  name: string,
  notText: number,
  notToken: number,
): Search | undefined {
  const [text, token, from, to] = args;
  if (isNullish(text)) return undefined;
  if (text.type !== bsonTypes.string) {
    throw new ServerError(notText, `${name} requires a string as the first argument, found: ${typeOf(text)}`);
  }
  if (token?.type !== bsonTypes.string) {
    throw new ServerError(
      notToken,
      `${name} requires a string as the second argument, found: ${typeOf(token)}`,
    );
  }
  return {
    text: textOf(text),
    token: textOf(token),
    from: args.length < 3 ? 0 : searchBound(from, name, 'starting index'),
    to: args.length < 4 ? undefined : searchBound(to, name, 'ending index'),
  };
}

function searchBound(value: Argument, name: string, what: string): number {
  const whole = value && int32Argument(value);
  if (whole === undefined) {
    throw new ServerError(
      40096,
      `${name} requires an integral ${what}, found a value of type: ${typeOf(value)}`,
    );
  }
  if (whole < 0) throw new ServerError(40097, `${name} requires a nonnegative ${what}, found: ${whole}`);
  return whole;
}
