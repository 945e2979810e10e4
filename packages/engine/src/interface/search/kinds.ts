import { SearchDefinitionError } from './error.ts';
import { Reader } from './reading.ts';

/** Parses an object by its `type`. For each type, a function reads the other fields. */
export function byType<T extends { readonly type: string }>(
  kinds: {
    readonly [K in T['type']]: (reader: Reader) => Omit<Extract<T, { readonly type: K }>, 'type'>;
  },
) {
  const types = Object.keys(kinds) as Array<T['type']>;
  return (value: unknown, path: string): T => {
    const reader = new Reader(value, path);
    const type = reader.oneOf('type', types as readonly string[]) as T['type'];
    const read: (reader: Reader) => object = kinds[type];
    const spec = { type, ...read(reader) };
    reader.done();
    return spec as unknown as T;
  };
}

export const nothing = () => ({});

/** Reads a range of lengths or counts. Its lower bound must not exceed its upper bound. */
export function span(reader: Reader, low: string, high: string, least: number): [number, number] {
  const min = reader.whole(low, { min: least });
  const max = reader.whole(high, { min: least });
  if (min > max) throw new SearchDefinitionError(reader.at(high), `must be greater than or equal to ${low}`);
  return [min, max];
}
