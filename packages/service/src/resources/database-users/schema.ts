import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, ruled, Tags } from '../../api/fields.ts';
import { MAX_COLLECTION_NAME, MAX_DATABASE_NAME, MAX_ROLE_NAME } from './lengths.ts';

const optional = Type.Optional;

const DatabaseRole = Type.Object({
  collectionName: optional(
    Type.String({
      maxLength: MAX_COLLECTION_NAME,
      description:
        'Name of the collection to which the role is limited. Without it, the role applies to all collections of the database.',
    }),
  ),
  databaseName: Type.String({
    maxLength: MAX_DATABASE_NAME,
    description: 'Name of the database on which the user holds the role.',
  }),
  roleName: Type.String({ maxLength: MAX_ROLE_NAME, description: 'Name of a built-in or custom role.' }),
});

const Scope = Type.Object({
  name: Type.String({
    maxLength: 64,
    pattern: '^[a-zA-Z0-9][a-zA-Z0-9-]*$',
    description: 'Name of the cluster.',
  }),
  type: Choice(['CLUSTER', 'DATA_LAKE', 'STREAM'], {
    description: 'Kind of the resource. Only CLUSTER has an effect.',
  }),
});

const kind = <const T extends readonly string[]>(values: T) => optional(Choice(values, { default: 'NONE' }));

export const DatabaseUser = entity(
  Type.Object(
    {
      awsIAMType: kind(['NONE', 'USER', 'ROLE']),
      databaseName: Choice(['admin', '$external'], {
        default: 'admin',
        description:
          'Authentication database: `admin` for users with a password and for groups of an identity provider, `$external` for all other users.',
      }),
      deleteAfterDate: optional(
        DateTime({
          description:
            'Time at which the service deletes the user, at most 7 days from now. Without it, the user does not expire.',
        }),
      ),
      description: optional(Type.String({ maxLength: 100, description: 'Text that describes the user.' })),
      groupId: optional(Id()),
      labels: Tags(),
      ldapAuthType: kind(['NONE', 'GROUP', 'USER']),
      links: Links,
      oidcAuthType: kind(['NONE', 'IDP_GROUP', 'USER']),
      password: optional(Type.String({ minLength: 8, maxLength: 1024, writeOnly: true })),
      roles: optional(
        ruled(
          Type.Array(DatabaseRole, {
            default: [],
            maxItems: 100,
            description: 'Roles of the user. At least one is required.',
          }),
          {
            minItems: 1,
          },
        ),
      ),
      scopes: optional(
        Type.Array(Scope, {
          default: [],
          maxItems: 100,
          description:
            'Clusters to which the user may log in. If the list is empty, the user may log in to all clusters.',
        }),
      ),
      username: Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Name of the user; a distinguished name (RFC 2253) for users with a certificate.',
      }),
      x509Type: kind(['NONE', 'CUSTOMER', 'MANAGED']),
    },
    { description: 'A database user: a user who can log in to the clusters of a project.' },
  ),
  {
    name: 'databaseUser',
    self: 'getDatabaseUser',
    params: (u) => ({ groupId: u.groupId ?? '', databaseName: u.databaseName, username: u.username }),
  },
);
export type DatabaseUser = Type.Static<typeof DatabaseUser>;

/** A rule, not the schema, requires at least one role. */
export const DatabaseUserCreate = ruled(DatabaseUser, { required: ['roles'] });

/** All fields are optional; omitted fields keep their values. */
export const DatabaseUserUpdate = Type.Partial(DatabaseUser);
export type DatabaseUserUpdate = Type.Static<typeof DatabaseUserUpdate>;
