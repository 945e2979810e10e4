import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** Users and roles, as commands name them. */

export interface Named {
  readonly name: string;
  readonly database: string;
}

export function isForAllDatabases(asked: Value | undefined): boolean {
  return asked?.type === bsonTypes.object && documentOf(asked).has('forAllDBs');
}

/** None where nobody is named: `1` and `{forAllDBs: true}` ask for all. */
export function namesOf(asked: Value, database: string, field: 'user' | 'role'): Named[] | undefined {
  switch (asked.type) {
    case bsonTypes.string:
      return [{ name: textOf(asked), database }];
    case bsonTypes.object:
      return isForAllDatabases(asked) ? undefined : [namedBy(documentOf(asked), field)];
    case bsonTypes.array:
      return entriesOf(asked).flatMap((entry) => namesOf(entry, database, field) ?? []);
    case bsonTypes.int:
    case bsonTypes.long:
    case bsonTypes.double:
      return undefined;
    default:
      throw new ServerError(
        'BadValue',
        `${field === 'user' ? 'User' : 'Role'} and role names must be strings or objects`,
      );
  }
}

function namedBy(document: RawDocument, field: 'user' | 'role'): Named {
  const name = document.string(field);
  const database = document.string('db');
  if (name !== undefined && database !== undefined) return { name, database };
  throw new ServerError('BadValue', `an object that names a ${field} has the fields '${field}' and 'db'`);
}

/** The roles of a list: each a name, or a name and a database. */
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
