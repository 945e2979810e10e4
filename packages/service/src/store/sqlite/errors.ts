import { StoreError, UniqueViolation } from '../errors.ts';

/**
 * Result codes of SQLite (sqlite.org/rescode.html). The low byte is the primary code; further bytes make it an extended
 * code.
 */
const PRIMARY = {
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
};
const CONSTRAINT_FOREIGNKEY = 787;
const CONSTRAINT_PRIMARYKEY = 1555;
const CONSTRAINT_UNIQUE = 2067;

/** Translates errors of `node:sqlite`. Returns other errors unchanged. */
export function sqliteError(error: unknown, file: string): unknown {
  const code = resultCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  if (code === CONSTRAINT_UNIQUE || code === CONSTRAINT_PRIMARYKEY) return uniqueViolation(error);
  const options = { cause: error };
  if (code === CONSTRAINT_FOREIGNKEY) return new StoreError('foreignKey', error.message, options);
  switch (code & 0xff) {
    case PRIMARY.CONSTRAINT:
      return new StoreError('constraint', error.message, options);
    case PRIMARY.BUSY:
    case PRIMARY.LOCKED:
      return new StoreError('busy', `Another program has locked the database ${file}`, options);
    case PRIMARY.FULL:
      return new StoreError('full', `The disk with the database ${file} is full`, options);
    case PRIMARY.READONLY:
      return new StoreError('readOnly', `The database ${file} cannot be written to`, options);
    case PRIMARY.CORRUPT:
    case PRIMARY.NOTADB:
      return new StoreError('damaged', `The database file ${file} is damaged or not a database`, options);
    case PRIMARY.CANTOPEN:
    case PRIMARY.IOERR:
      return new StoreError(
        'unavailable',
        `The database file ${file} cannot be read or written: ${error.message}`,
        options,
      );
    default:
      return error;
  }
}

function resultCode(error: unknown): number | undefined {
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode : undefined;
}

/**
 * Parses messages such as `UNIQUE constraint failed: cluster.group_id, cluster.name` or `…: index
 * 'cluster_by_lower_name'`.
 */
function uniqueViolation(error: Error): UniqueViolation {
  const [, place = ''] = error.message.split('constraint failed: ');
  const index = /^index '(.*)'/.exec(place)?.[1];
  if (index !== undefined) return new UniqueViolation({ table: '', columns: [], constraint: index }, error);
  const names = place.split(', ').map((name) => name.split('.'));
  const columns = names.map(([, column]) => column ?? '');
  return new UniqueViolation({ table: names[0]?.[0] ?? '', columns }, error);
}
