import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import type { SeedContent, SeedProject } from './file.ts';
import { type Body, created, done, existing, listed, makeMissing, named, type Seeding } from './requests.ts';

/** Creates the users, teams and API keys of an organization. */
export async function makePeople(seeding: Seeding, content: SeedContent, place: string): Promise<void> {
  await makeUsers(seeding, content.users ?? [], `${place}users`);
  await makeTeams(seeding, content.teams ?? [], `${place}teams`);
  await makeKeys(seeding, content.apiKeys ?? [], `${place}apiKeys`);
}

async function makeUsers(
  seeding: Seeding,
  users: NonNullable<SeedContent['users']>,
  place: string,
): Promise<void> {
  const { call, orgId } = seeding;
  for (const [index, { roles = ['ORG_MEMBER'], ...user }] of users.entries()) {
    const assigned = roles.map((roleName) => ({ orgId, roleName }));
    const make = () => call('POST', '/users', { ...user, roles: assigned });
    await makeMissing(seeding, `/users/byName/${named(user.username)}`, make, `${place}[${index}]`);
  }
}

async function makeTeams(
  seeding: Seeding,
  teams: NonNullable<SeedContent['teams']>,
  place: string,
): Promise<void> {
  const { call, orgId } = seeding;
  for (const [index, team] of teams.entries()) {
    const make = () => call('POST', `/orgs/${orgId}/teams`, { usernames: [], ...team });
    await makeMissing(seeding, teamPath(orgId, String(team.name)), make, `${place}[${index}]`);
  }
}

const teamPath = (orgId: string, name: string) => `/orgs/${orgId}/teams/byName/${named(name)}`;

async function makeKeys({ service, call, orgId, report }: Seeding, wanted: readonly Body[], place: string) {
  const path = `/orgs/${orgId}/apiKeys`;
  const known = (await listed(call, path, place)).map(({ desc }) => desc);
  const made: Body[] = [];
  for (const [index, key] of wanted.entries()) {
    const own = `${place}[${index}]`;
    if (known.includes(key.desc)) {
      report(existing(own));
      continue;
    }
    const { id, publicKey, privateKey, desc } = done(await call('POST', path, key), own);
    report(created(own));
    made.push({ orgId, id, desc, publicKey, privateKey });
  }
  if (made.length > 0) await keepKeys(service.dataDirectory, made);
}

/** Stores generated private keys beside `bootstrap.json`, since the API returns them only once. */
async function keepKeys(dataDirectory: string, made: readonly Body[]): Promise<void> {
  const file = join(dataDirectory, 'seed-keys.json');
  const before: readonly Body[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  await writeAtomically(file, `${JSON.stringify([...before, ...made], null, 2)}\n`);
}

/** Gives users and teams of the organization roles in the project at this path. */
export async function admitToProject(
  { call, orgId, report }: Seeding,
  path: string,
  { users = [], teams = [] }: SeedProject,
  place: string,
): Promise<void> {
  for (const [index, user] of users.entries()) {
    const own = `${place}.users[${index}]`;
    const there = await listed(call, `${path}/users?username=${named(user.username)}`, own);
    if (there.length === 0) done(await call('POST', `${path}/users`, user), own);
    report(there.length === 0 ? created(own) : existing(own));
  }
  const known = teams.length === 0 ? [] : await listed(call, `${path}/teams`, `${place}.teams`);
  for (const [index, { name, roleNames }] of teams.entries()) {
    const own = `${place}.teams[${index}]`;
    const { id: teamId } = done(await call('GET', teamPath(orgId, name)), own);
    const isKnown = known.some((team) => team.teamId === teamId);
    if (!isKnown) done(await call('POST', `${path}/teams`, [{ teamId, roleNames }]), own);
    report(isKnown ? existing(own) : created(own));
  }
}
