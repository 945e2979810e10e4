import { Decimal128 } from 'bson';
import { bsonTypes, typeName } from './bson-types.ts';
import { copySpan, findNul, readInt32, readText } from './bytes.ts';
import { documentOf, entriesOf, type RawDocument } from './raw.ts';
import { boolOf, doubleOf, int32Of, int64Of, textOf, type Value } from './value.ts';

/** Prints a value as the server does in messages. */
export function describe(value: Value): string {
  return (describers[typeName(value.type)] ?? (() => typeName(value.type)))(value);
}

/** Prints a document as `{ a: 1, b: "x" }`. */
export function describeDocument(doc: RawDocument): string {
  const fields = [...doc].map((element) => `${element.name}: ${describe(element)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/**
 * Prints a value of any size in about this many characters at most. The caller truncates the message anyway.
 */
export function describeBriefly(value: Value, characters: number): string {
  const open = value.type === bsonTypes.array ? '[' : '{';
  if (value.type !== bsonTypes.object && value.type !== bsonTypes.array) {
    return value.end - value.start > 4 * characters
      ? `a ${typeName(value.type)} of ${value.end - value.start} bytes`
      : describe(value);
  }
  let text = '';
  for (const element of documentOf(value)) {
    const name = value.type === bsonTypes.object ? `${element.name}: ` : '';
    text += `${text === '' ? '' : ', '}${name}${describeBriefly(element, characters - text.length)}`;
    if (text.length >= characters) return `${open} ${text}`;
  }
  return text === '' ? describe(value) : `${open} ${text} ${open === '[' ? ']' : '}'}`;
}

const describers: Readonly<Record<string, (value: Value) => string>> = {
  double: (value) => describeDouble(doubleOf(value)),
  string: (value) => JSON.stringify(textOf(value)),
  symbol: (value) => JSON.stringify(textOf(value)),
  object: (value) => describeDocument(documentOf(value)),
  array: (value) => {
    const entries = entriesOf(value).map(describe);
    return entries.length === 0 ? '[]' : `[ ${entries.join(', ')} ]`;
  },
  binData: (value) => {
    const hex = Buffer.from(copySpan(value.bytes, value.start + 5, value.end))
      .toString('hex')
      .toUpperCase();
    return `BinData(${value.bytes[value.start + 4]}, ${hex})`;
  },
  objectId: (value) =>
    `ObjectId('${Buffer.from(copySpan(value.bytes, value.start, value.end)).toString('hex')}')`,
  bool: (value) => String(boolOf(value)),
  date: (value) => `new Date(${int64Of(value)})`,
  regex: (value) => {
    const patternEnd = findNul(value.bytes, value.start);
    const flags = readText(value.bytes, patternEnd + 1, value.end - 1);
    return `/${readText(value.bytes, value.start, patternEnd)}/${flags}`;
  },
  javascript: (value) => textOf(value),
  int: (value) => String(int32Of(value)),
  timestamp: ({ bytes, start }) => {
    const [seconds, ordinal] = [readInt32(bytes, start + 4) >>> 0, readInt32(bytes, start) >>> 0];
    return `Timestamp(${seconds}, ${ordinal})`;
  },
  long: (value) => String(int64Of(value)),
  decimal: (value) => new Decimal128(copySpan(value.bytes, value.start, value.end)).toString(),
  minKey: () => 'MinKey',
  maxKey: () => 'MaxKey',
};

/** Prints a double. An integral double keeps its decimal point, which distinguishes it from an integer. */
function describeDouble(value: number): string {
  if (Number.isNaN(value)) return 'nan.0';
  if (!Number.isFinite(value)) return value > 0 ? 'inf.0' : '-inf.0';
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
}
