import pg from 'pg';
import { codec } from '../codec.ts';

/** Ids of types in the server (pg_type.dat). */
const INT8 = 20;
const NUMERIC = 1700;

/**
 * The client returns 64-bit integers, and therefore sums and counts, as strings. These parsers return numbers, as
 * SQLite does. They throw if a number is not a safe integer.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    const whole = type === INT8 || type === NUMERIC;
    if (whole && format !== 'binary') return (text: string) => codec.int64.read(Number(text));
    return format === 'binary'
      ? pg.types.getTypeParser(type, 'binary')
      : pg.types.getTypeParser(type, 'text');
  },
};
