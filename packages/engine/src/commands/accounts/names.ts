import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** The name of a user or role in a command. */

export interface AccountName {
  readonly name: string;
  readonly database: string;
}

export function isForAllDatabases(requested: Value | undefined): boolean {
  return requested?.type === bsonTypes.object && documentOf(requested).has('forAllDBs');
}

/** Returns the requested names. Returns undefined for `1` and `{forAllDBs: true}`, which request all users or roles. */
export function namesOf(
  requested: Value,
  database: string,
  field: 'user' | 'role',
): AccountName[] | undefined {
  switch (requested.type) {
    case bsonTypes.string:
      return [{ name: textOf(requested), database }];
    case bsonTypes.object:
      return isForAllDatabases(requested) ? undefined : [namedBy(documentOf(requested), field)];
    case bsonTypes.array:
      return entriesOf(requested).flatMap((entry) => {
        if (entry.type !== bsonTypes.string && entry.type !== bsonTypes.object) throw notNamed(field);
        return namesOf(entry, database, field) ?? [];
      });
    default:
      if (isNumber(requested)) return undefined;
      throw notNamed(field);
  }
}

function notNamed(field: 'user' | 'role'): ServerError {
  const what = field === 'user' ? 'User' : 'Role';
  return new ServerError('BadValue', `${what} and role names must be strings or objects`);
}

function namedBy(document: RawDocument, field: 'user' | 'role'): AccountName {
  const name = document.string(field);
  const database = document.string('db');
  if (name !== undefined && database !== undefined) return { name, database };
  throw new ServerError('BadValue', `a ${field} object must have the fields '${field}' and 'db'`);
}

/** Parses a list of roles. Each entry is a name, or a document with a name and a database. */
export function rolesIn(list: readonly Value[], database: string): Array<{ role: string; database: string }> {
  return list.map((entry) => {
    if (entry.type === bsonTypes.string) return { role: textOf(entry), database };
    if (entry.type === bsonTypes.object) {
      const { name, database: db } = namedBy(documentOf(entry), 'role');
      return { role: name, database: db };
    }
    throw new ServerError('BadValue', 'Role names must be either strings or objects');
  });
}
