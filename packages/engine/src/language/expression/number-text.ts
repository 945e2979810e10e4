import { fitsInt32, fitsInt64 } from '../../bson/numbers/convert.ts';
import {
  type Decimal,
  decimalNaN,
  finite,
  infinite,
  MIN_EXPONENT,
  round,
} from '../../bson/numbers/decimal128.ts';
import { ConversionError } from './conversion-error.ts';

/**
 * This file parses numbers as `$convert` does. White space and the prefix `0x` are errors. As in the server, only the
 * first two characters are compared with `0x`. So a double may be hexadecimal with a sign or a capital letter, for
 * example `+0x1` and `0X1`.
 */

function failed(text: string, reason: string): ConversionError {
  return new ConversionError(`Failed to parse number '${text}' in $convert with no onError value: ${reason}`);
}

function checkNotHexadecimal(text: string): void {
  if (!text.startsWith('0x')) return;
  throw new ConversionError(`Illegal hexadecimal input in $convert with no onError value: ${text}`);
}

export function parseWhole(text: string, to: 'int' | 'long'): bigint {
  checkNotHexadecimal(text);
  if (/^[+-]?$/.test(text)) throw failed(text, 'No digits');
  if (!/^[+-]?\d+$/.test(text)) throw failed(text, 'Did not consume whole string.');
  if (text.length > MAX_WHOLE && /^[+-]?0*[1-9]\d{19}/.test(text)) throw failed(text, 'Overflow');
  const whole = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (!(to === 'int' ? fitsInt32(whole) : fitsInt64(whole))) throw failed(text, 'Overflow');
  return whole;
}

// A digit can match only one part of each pattern, so that a text of a million digits is matched in linear time.
const numberPattern = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const specialPattern = /^([+-]?)(?:(nan)|(inf(?:inity)?))$/i;

/** Returns the reason why a text is not a double. */
function reasonOf(text: string): string {
  if (text === '') return 'Empty string';
  if (/^\s/.test(text)) return 'Leading whitespace';
  return /^[+-]?(\.?\d|inf|nan)/i.test(text) ? 'Did not consume whole string.' : 'Did not consume any digits';
}

export function parseDouble(text: string): number {
  checkNotHexadecimal(text);
  const special = specialPattern.exec(text);
  if (special !== null) {
    if (special[2] !== undefined) return Number.NaN;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const hexadecimal = hexadecimalPattern.exec(text);
  if (hexadecimal === null && !numberPattern.test(text)) throw failed(text, reasonOf(text));
  const number = hexadecimal === null ? Number(text) : fromHexadecimal(hexadecimal);
  if (!Number.isFinite(number)) throw failed(text, 'Out of range');
  if (number === 0 && hexadecimal === null && /^[^e]*[1-9]/i.test(text)) throw failed(text, 'Out of range');
  return number;
}

/**
 * Maximum length of a whole number, in characters. Every 64-bit number is shorter, and parsing a `BigInt` of
 * a million digits takes a second.
 */
const MAX_WHOLE = 40;
/** Maximum number of hexadecimal digits that are converted. A double has fewer. */
const MAX_HEXADECIMAL = 32;
/** C's hexadecimal floating-point format: hexadecimal digits and an optional power of two. */
const hexadecimalPattern = /^([+-]?)0x(?:([0-9a-f]+)(?:\.([0-9a-f]*))?|\.([0-9a-f]+))(?:p([+-]?\d+))?$/i;

function fromHexadecimal([, sign, whole = '', part = '', only = '', power = '0']: RegExpExecArray): number {
  const fraction = part + only;
  const all = (whole + fraction).replace(/^0+/, '');
  if (all === '') return sign === '-' ? -0 : 0;
  // Further digits affect only the rounding. One digit therefore replaces them: 0 if all of them are 0, otherwise 1.
  const rest = all.slice(MAX_HEXADECIMAL);
  const digits = rest === '' ? all : all.slice(0, MAX_HEXADECIMAL) + (/[^0]/.test(rest) ? '1' : '0');
  const dropped = all.length - digits.length;
  const magnitude = Number(BigInt(`0x${digits}`)) * 2 ** (Number(power) - 4 * (fraction.length - dropped));
  return sign === '-' ? -magnitude : magnitude;
}

export function parseDecimal(text: string): Decimal {
  checkNotHexadecimal(text);
  if (text === '') throw failed(text, 'Empty string');
  const special = specialPattern.exec(text);
  if (special !== null) {
    const negative = special[1] === '-';
    return special[2] !== undefined ? { ...decimalNaN, negative } : infinite(negative);
  }
  if (!numberPattern.test(text)) throw failed(text, 'Failed to parse string to decimal');
  const [digits = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.replace(/^[+-]/, '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  // As in the server, digits beyond 34 are truncated here, whereas arithmetic rounds them.
  const last = Number(power) - fraction.length;
  const cut = Math.max(all.length - 34, all === '' ? 0 : MIN_EXPONENT - last, 0);
  const kept = all.slice(0, Math.max(all.length - cut, 0));
  const rounded = round(finite(text.startsWith('-'), BigInt(kept), last + cut));
  if (rounded.kind === 'infinite') throw failed(text, 'Conversion from string to decimal would overflow');
  if (kept === '' && all !== '') throw failed(text, 'Conversion from string to decimal would underflow');
  return rounded;
}
