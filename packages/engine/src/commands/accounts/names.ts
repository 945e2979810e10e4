import { documentOf } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { byType, listOf, nested, required } from '../shared/field-builders.ts';
import type { FieldType } from '../shared/fields.ts';

/** This file declares arguments that name users and roles. */

/** The name of a user or role. */
export interface AccountName {
  readonly name: string;
  readonly database: string;
}

/** A name in a command. Without `database`, it belongs to the database of the command. */
export interface GivenName {
  readonly name: string;
  readonly database?: string;
}

type Named = 'user' | 'role';

/** All users or roles of the database of a command, or of all databases. */
type Every = 'own' | 'everywhere';

/** A name, or a document with a name and a database. */
function givenName(field: Named, wrong: string): FieldType<GivenName> {
  const incomplete = () =>
    new ServerError('BadValue', `a ${field} object must have the fields '${field}' and 'db'`);
  const named = nested(
    { [field]: required('string', incomplete), db: required('string', incomplete) },
    { ignored: () => true },
  );
  return byType(
    {
      string: (value): GivenName => ({ name: textOf(value) }),
      object(value, name, within): GivenName {
        const { [field]: own = '', db = '' } = named.read(value, name, within);
        return { name: own, database: db };
      },
    },
    () => new ServerError('BadValue', wrong),
  );
}

/** A list of roles. */
export const roleList = listOf(givenName('role', 'Role names must be either strings or objects'));

/** The users or roles that a command requests: one, several, or all. */
function requestedNames(field: Named): FieldType<readonly GivenName[] | Every> {
  const wrong = `${field === 'user' ? 'User' : 'Role'} and role names must be strings or objects`;
  const one = givenName(field, wrong);
  const single = byType(
    {
      string: (...read) => [one.read(...read)],
      object: (value, ...at): readonly GivenName[] | 'everywhere' =>
        documentOf(value).has('forAllDBs') ? 'everywhere' : [one.read(value, ...at)],
    },
    () => new ServerError('BadValue', wrong),
  );
  const entries = listOf(single);
  return byType(
    {
      string: single.read,
      object: single.read,
      array: (...read) => entries.read(...read).flatMap((found) => (found === 'everywhere' ? [] : found)),
      number: (): Every => 'own',
    },
    () => new ServerError('BadValue', wrong),
  );
}

export const requestedUsers = requestedNames('user');
export const requestedRoles = requestedNames('role');

/** Returns the requested names. Returns undefined if all users or roles are requested. */
export function namesOf(
  requested: readonly GivenName[] | Every,
  database: string,
): AccountName[] | undefined {
  return typeof requested === 'string' ? undefined : requested.map((given) => ({ database, ...given }));
}
