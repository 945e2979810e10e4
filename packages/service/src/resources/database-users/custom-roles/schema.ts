import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Links } from '../../../api/fields.ts';
import { actionNames } from './actions.ts';

const optional = Type.Optional;

const Resource = Type.Object(
  {
    cluster: optional(
      Type.Boolean({ description: 'Whether the resource is the whole cluster; excludes the other fields.' }),
    ),
    collection: optional(
      Type.String({ description: 'Name of the collection; empty for all collections of the database.' }),
    ),
    db: optional(Type.String({ description: 'Name of the database; empty for all databases.' })),
  },
  { description: 'Resource on which an action is allowed.' },
);

const Action = Type.Object({
  action: Choice(actionNames),
  resources: optional(Type.Array(Resource, { maxItems: 100 })),
});
const InheritedRole = Type.Object({ db: Type.String(), role: Type.String({ minLength: 1 }) });

const fields = {
  actions: optional(Type.Array(Action, { default: [], maxItems: 200 })),
  inheritedRoles: optional(Type.Array(InheritedRole, { default: [], maxItems: 100 })),
  links: Links,
};

export const CustomRole = entity(
  Type.Object(
    { ...fields, roleName: Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,255}$' }) },
    { description: 'A custom database role of a project, composed of actions and other roles.' },
  ),
  {
    name: 'customRole',
    self: 'getCustomDatabaseRole',
    // The project is not a field of the role; the path of the response names it.
    params: (role) => ({ roleName: role.roleName }),
  },
);
export type CustomRole = Type.Static<typeof CustomRole>;

export const CustomRoleUpdate = Type.Object({ ...fields, roleName: optional(Type.String()) });
export type CustomRoleUpdate = Type.Static<typeof CustomRoleUpdate>;
