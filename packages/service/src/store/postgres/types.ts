import pg from 'pg';
import { codec } from '../codec.ts';

/** Ids of PostgreSQL's types, as in the file pg_type.dat of its source code. */
const INT8 = 20;
const NUMERIC = 1700;

/**
 * By default, the client returns 64-bit integers, and therefore sums and counts, as strings. These parsers return
 * numbers, as the SQLite client does. They throw if an integer is not a safe integer.
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
