import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import { expectStatus } from './expect.ts';
import type { Setup } from './setups.ts';
import {
  idIn,
  type Link,
  type ListDocument,
  newOrganization,
  type ProjectDocument,
  uniqueName,
} from './stage.ts';

export interface UserDocument {
  readonly id: string;
  readonly username: string;
  readonly firstName: string;
  readonly createdAt?: string;
  readonly links?: readonly Link[];
  readonly roles: readonly object[];
  readonly teamIds: readonly string[];
}

export interface MemberDocument {
  readonly id: string;
  readonly username: string;
  readonly orgMembershipStatus: string;
  readonly roles: { orgRoles: string[]; groupRoleAssignments: { groupId: string; groupRoles: string[] }[] };
  readonly teamIds: string[];
}

/** Creates an organization without users, with a project, and returns its owner's key and both paths. */
export async function newStage(setup: Setup) {
  const { key, pair, id } = await newOrganization(setup, 'ORG_OWNER');
  const project = await key.post('/groups', { name: 'harbour', orgId: id });
  const groupId = expectStatus<ProjectDocument>(project, 200).id;
  return { key, pair, orgId: id, org: `/orgs/${id}`, groupId, group: `/groups/${groupId}` };
}

/** Returns the body for a user with a unique name. */
export function userBody() {
  const name = uniqueName('sailor');
  return {
    username: `${name}@example.org`,
    password: `the password of ${name}`,
    firstName: 'Jo',
    lastName: name,
    country: 'LV',
    mobileNumber: '+371 555 01234',
  };
}

/** Creates a user with these roles. Returns the user with the password. */
export async function newPerson(setup: Setup, client: Client, roles: readonly object[]) {
  const body = userBody();
  const { password } = body;
  setup.keepOutOfLogs(password);
  const user = expectStatus<UserDocument>(await client.post('/users', { ...body, roles }), 200);
  return { ...user, password };
}

/** Creates a user with these roles. */
export async function newUser(setup: Setup, client: Client, roles: readonly object[]): Promise<UserDocument> {
  const { password: _, ...user } = await newPerson(setup, client, roles);
  return user;
}

/** Returns all entries of a list. They must fit on one page. */
export async function listed<T = MemberDocument>(client: Client, path: string): Promise<readonly T[]> {
  const { results, totalCount } = expectStatus<ListDocument<T>>(await client.get(path), 200);
  assert.equal(totalCount, results.length);
  return results;
}

export const named = (members: readonly { username: string }[]) => members.map(({ username }) => username);

/** The largest page of a list. */
const MAX_ITEMS = 500;

/**
 * Returns the types of events of an organization or a project, oldest first. A busy machine can cause many events of
 * alerts, so the page of events is as large as possible. Asks for no count: the service adds and deletes events at any
 * time, and PostgreSQL counts them in another snapshot than the one that it lists them in.
 */
export async function eventTypes(client: Client, path: string): Promise<string[]> {
  const reply = await client.get(`${path}/events?itemsPerPage=${MAX_ITEMS}&includeCount=false`);
  const { results } = expectStatus<ListDocument<{ eventTypeName: string }>>(reply, 200);
  assert.ok(results.length < MAX_ITEMS);
  return results.map(({ eventTypeName }) => eventTypeName).toReversed();
}

/** Adds a member, an invitation and a team to the first organization and to one of its projects. */
export async function people(setup: Setup, project: string): Promise<void> {
  const { owner, bootstrap } = setup;
  const roles = ['GROUP_READ_ONLY'];
  const assigned = [{ groupId: idIn(project), roleName: roles[0] }];
  const { username } = await newUser(setup, owner, assigned);
  const crew = { name: uniqueName('crew'), usernames: [username] };
  const team = expectStatus(await owner.post(`/orgs/${bootstrap.orgId}/teams`, crew), 200);
  expectStatus(await owner.post(`${project}/teams`, [{ teamId: team.id, roleNames: roles }]), 200);
  expectStatus(await owner.post(`${project}/invites`, { username: userBody().username, roles }), 200);
}
