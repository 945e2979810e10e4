import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Links } from '../../../api/fields.ts';
import { MAX_COLLECTION_NAME, MAX_DATABASE_NAME, MAX_ROLE_NAME } from '../lengths.ts';
import { actionNames } from './actions.ts';

const optional = Type.Optional;

const Resource = Type.Object(
  {
    cluster: optional(
      Type.Boolean({
        description:
          'Whether the action is allowed on the whole cluster. If so, the other fields must be absent.',
      }),
    ),
    collection: optional(
      Type.String({
        maxLength: MAX_COLLECTION_NAME,
        description: 'Name of the collection. An empty name means all collections of the database.',
      }),
    ),
    db: optional(
      Type.String({
        maxLength: MAX_DATABASE_NAME,
        description: 'Name of the database. An empty name means all databases.',
      }),
    ),
  },
  { description: 'A resource on which the role allows an action: the cluster, a database or a collection.' },
);

const Action = Type.Object({
  action: Choice(actionNames, { description: 'Action that the role allows.' }),
  resources: optional(
    Type.Array(Resource, { maxItems: 100, description: 'Resources on which the role allows the action.' }),
  ),
});
const InheritedRole = Type.Object({
  db: Type.String({
    maxLength: MAX_DATABASE_NAME,
    description: 'Name of the database of the inherited role.',
  }),
  role: Type.String({ minLength: 1, maxLength: MAX_ROLE_NAME, description: 'Name of the inherited role.' }),
});

const fields = {
  actions: optional(
    Type.Array(Action, { default: [], maxItems: 200, description: 'Actions that the role allows.' }),
  ),
  inheritedRoles: optional(
    Type.Array(InheritedRole, {
      default: [],
      maxItems: 100,
      description: 'Roles whose privileges the role includes.',
    }),
  ),
  links: Links,
};

export const CustomRole = entity(
  Type.Object(
    {
      ...fields,
      roleName: Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,255}$', description: 'Name of the role.' }),
    },
    { description: 'A custom database role of a project: allowed actions and inherited roles.' },
  ),
  {
    name: 'customRole',
    self: 'getCustomDatabaseRole',
    // The link takes the project from the request path, because the project is not a field of the role.
    params: (role) => ({ roleName: role.roleName }),
  },
);
export type CustomRole = Type.Static<typeof CustomRole>;

export const CustomRoleUpdate = Type.Object({ ...fields, roleName: optional(Type.String()) });
export type CustomRoleUpdate = Type.Static<typeof CustomRoleUpdate>;
