import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Links } from '../../../api/fields.ts';
import { actionNames } from './actions.ts';

const optional = Type.Optional;

const Resource = Type.Object(
  {
    cluster: optional(Type.Boolean({ description: 'The whole cluster; given alone.' })),
    collection: optional(Type.String({ description: 'Empty: every collection of the database.' })),
    db: optional(Type.String({ description: 'Empty: every database.' })),
  },
  { description: 'Where an action is allowed.' },
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
    { description: 'A role of the databases of a project, made of actions and of other roles.' },
  ),
  {
    name: 'customRole',
    self: 'getCustomDatabaseRole',
    // The project is not a field of the role; the answer's own path names it.
    params: (role) => ({ roleName: role.roleName }),
  },
);
export type CustomRole = Type.Static<typeof CustomRole>;

export const CustomRoleUpdate = Type.Object({ ...fields, roleName: optional(Type.String()) });
export type CustomRoleUpdate = Type.Static<typeof CustomRoleUpdate>;
