/**
 * How values are stored in columns. Both databases store dates as milliseconds, booleans as 0 and 1, documents as JSON
 * text, and 64-bit integers as safe integers.
 */
interface Codec<Value, Column> {
  write(value: Value): Column;
  read(column: Column): Value;
}

const date: Codec<Date, number> = {
  write: (value) => exact(value.getTime()),
  read: (column) => new Date(column),
};

const optionalDate: Codec<Date | undefined, number | null> = {
  write: (value) => (value === undefined ? null : date.write(value)),
  read: (column) => (column === null ? undefined : date.read(column)),
};

const boolean: Codec<boolean, number> = {
  write: (value) => (value ? 1 : 0),
  read: (column) => column !== 0,
};

const int64: Codec<number, number> = { write: exact, read: exact };

const jsonText: Codec<unknown, string> = {
  write(value) {
    const text = JSON.stringify(value);
    // `JSON.stringify` returns undefined for values that JSON cannot represent.
    if (text === undefined) throw new TypeError('A JSON column cannot contain undefined');
    return text;
  },
  read: (column): unknown => JSON.parse(column),
};

/** Returns the codec of a JSON column. Values are not validated when they are read. */
function json<T>(): Codec<T, string> {
  return jsonText as Codec<T, string>;
}

function exact(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
  return value;
}

export const codec = { date, optionalDate, boolean, int64, json };
