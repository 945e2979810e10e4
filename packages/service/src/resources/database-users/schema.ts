import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, ruled, Tags } from '../../api/fields.ts';

const optional = Type.Optional;

const DatabaseRole = Type.Object({
  collectionName: optional(Type.String()),
  databaseName: Type.String(),
  roleName: Type.String(),
});

const Scope = Type.Object({
  name: Type.String({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9-]*$' }),
  type: Choice(['CLUSTER', 'DATA_LAKE', 'STREAM']),
});

const kind = <const T extends readonly string[]>(values: T) => optional(Choice(values, { default: 'NONE' }));

export const DatabaseUser = entity(
  Type.Object(
    {
      awsIAMType: kind(['NONE', 'USER', 'ROLE']),
      databaseName: Choice(['admin', '$external'], {
        default: 'admin',
        description: 'Authentication database of the user.',
      }),
      deleteAfterDate: optional(
        DateTime({ description: 'Time at which the user is removed; at most 7 days ahead.' }),
      ),
      description: optional(Type.String({ maxLength: 100 })),
      groupId: optional(Id()),
      labels: Tags(),
      ldapAuthType: kind(['NONE', 'GROUP', 'USER']),
      links: Links,
      oidcAuthType: kind(['NONE', 'IDP_GROUP', 'USER']),
      password: optional(Type.String({ minLength: 8, maxLength: 1024, writeOnly: true })),
      roles: optional(ruled(Type.Array(DatabaseRole, { default: [], maxItems: 100 }), { minItems: 1 })),
      scopes: optional(
        Type.Array(Scope, {
          default: [],
          maxItems: 100,
          description: 'Clusters that the user may access; all if empty.',
        }),
      ),
      username: Type.String({ minLength: 1, maxLength: 1024 }),
      x509Type: kind(['NONE', 'CUSTOMER', 'MANAGED']),
    },
    { description: 'A user who logs in to the clusters of a project.' },
  ),
  {
    name: 'databaseUser',
    self: 'getDatabaseUser',
    params: (u) => ({ groupId: u.groupId ?? '', databaseName: u.databaseName, username: u.username }),
  },
);
export type DatabaseUser = Type.Static<typeof DatabaseUser>;

/** The rules require at least one role. */
export const DatabaseUserCreate = ruled(DatabaseUser, { required: ['roles'] });

/** Omitted fields keep their values. */
export const DatabaseUserUpdate = Type.Partial(DatabaseUser);
export type DatabaseUserUpdate = Type.Static<typeof DatabaseUserUpdate>;
