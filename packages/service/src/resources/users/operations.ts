import { generalFaults } from '../../api/faults.ts';
import {
  findUserNamed,
  hashPassword,
  requireUser,
  sharedOrganizations,
  userFaults,
} from '../accounts/index.ts';
import { extension, operation } from '../services.ts';
import { addUser, changeUser } from './changes.ts';
import { presentUser } from './members/views.ts';
import { assertOwnsOrganizations, grantsByOrganization } from './rules.ts';
import { User, UserCreate, UserUpdate } from './schema.ts';

const tag = 'Db Cloud Users';

export const createUser = operation({
  id: 'createUser',
  tag: 'Db Cloud Users',
  method: 'POST',
  path: '/users',
  summary: 'Creates a user, with roles in organizations and projects that the caller owns.',
  access: 'any caller',
  body: UserCreate,
  reply: User,
  status: 200,
  repeatable: ({ body }) => ({ ...body, emailAddress: body.username }),
  async handler(call) {
    const { body, services } = call;
    const { username, firstName, lastName, country, mobileNumber } = body;
    // Hash the password outside of the transaction, since hashing is slow on purpose.
    const passwordHash = await hashPassword(services.random, body.password, call.caller.id);
    return call.write(async (tx) => {
      if (await findUserNamed(tx, username)) throw userFaults.USER_ALREADY_EXISTS(username);
      const grants = await grantsByOrganization(tx, call, body.roles ?? []);
      const values = { username, passwordHash, firstName, lastName, country, mobileNumber };
      const user = await addUser(tx, call.actor, values, grants);
      return presentUser(tx, user, [...grants.keys()]);
    });
  },
});

export const getUser = operation({
  id: 'getUser',
  tag: 'Db Cloud Users',
  method: 'GET',
  path: '/users/{userId}',
  summary: 'Returns one user, with the roles that the caller can see.',
  access: 'any caller',
  reply: User,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { userId } = call.params;
      const orgIds = await sharedOrganizations(tx, call.caller, userId);
      if (!orgIds) throw userFaults.USER_NOT_FOUND(userId);
      return presentUser(tx, await requireUser(tx, userId), orgIds);
    }),
});

export const getUserByName = operation({
  id: 'getUserByUsername',
  tag: 'Db Cloud Users',
  method: 'GET',
  path: '/users/byName/{userName}',
  summary: 'Returns one user, selected by user name, with the roles that the caller can see.',
  access: 'any caller',
  reply: User,
  status: 200,
  reachedFrom: { user: 'byName', organizationMember: 'user', projectMember: 'user' },
  handler: (call) =>
    call.read(async (tx) => {
      const { userName } = call.params;
      const user = await findUserNamed(tx, userName);
      const orgIds = user && (await sharedOrganizations(tx, call.caller, user.id));
      if (!user || !orgIds) throw userFaults.USERNAME_NOT_FOUND(userName);
      return presentUser(tx, user, orgIds);
    }),
});

/**
 * An extension for client libraries that use the legacy path. They send this request, although neither the contract nor
 * the vendor's service has the operation.
 */
export const updateUser = extension({
  id: 'updateUser',
  summary:
    "Updates the profile of a user, and replaces the user's roles in the organizations that the body lists.",
  tag,
  method: 'PATCH',
  path: '/users/{userId}',
  access: 'any caller',
  body: UserUpdate,
  reply: User,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { userId } = call.params;
      const orgIds = await sharedOrganizations(tx, call.caller, userId);
      if (!orgIds) throw userFaults.USER_NOT_FOUND(userId);
      const before = await requireUser(tx, userId);
      const { roles: assignments, username, lastAuth: _, ...profile } = call.body;
      if (username !== undefined && username !== before.username) {
        throw generalFaults.ATTRIBUTE_READ_ONLY('username');
      }
      if (Object.keys(profile).length > 0) assertOwnsOrganizations(call, orgIds);
      const grants = await grantsByOrganization(tx, call, assignments ?? []);
      const user = await changeUser(tx, call.actor, { before, orgIds }, { profile, grants });
      return presentUser(tx, user, orgIds);
    }),
});
