import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, serviceAccount } from './support/client.ts';
import { expectStatus } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { type RoleRow, roleTable } from './support/role-table.ts';
import { onSetup, type Setup, type SetupKind } from './support/setups.ts';
import { newOrganization, type ProjectDocument, uniqueName } from './support/stage.ts';

const { orgRoles, groupRoles, phrases, rows } = roleTable();
const roles = [...orgRoles, ...groupRoles];
const NEWEST = '2025-03-12';
const LEGACY = '2023-01-01';
/** Operations that v1.0 lacks although they have the version 2023-01-01 (docs/contract/api.md 4.7). */
const NOT_IN_LEGACY = ['updateSnapshotRetention'];

interface Stage {
  readonly orgId: string;
  readonly groupId: string;
  readonly callers: ReadonlyMap<string, Client>;
}

/** Creates an organization with a project, and one account for each role. */
async function stageOf(setup: Setup): Promise<Stage> {
  const { key: owner, id: orgId } = await newOrganization(setup, 'ORG_OWNER');
  const project = await owner.post('/groups', { name: uniqueName('roles'), orgId });
  const groupId = expectStatus<ProjectDocument>(project, 200).id;
  const callers = new Map<string, Client>();
  for (const role of roles) {
    const place = orgRoles.includes(role) ? `/orgs/${orgId}` : `/groups/${groupId}`;
    const body = { name: role.replaceAll('_', ' '), description: 'of one role', roles: [role] };
    const reply = await owner.post(`${place}/serviceAccounts`, { ...body, secretExpiresAfterHours: 8 });
    const made = expectStatus<{ clientId: string; secrets: { secret: string }[] }>(reply, 201);
    const secret = made.secrets[0]?.secret ?? '';
    setup.keepOutOfLogs(secret);
    callers.set(role, setup.clientWith(serviceAccount(made.clientId, secret)));
  }
  return { orgId, groupId, callers };
}

/** Replaces the parameters of a path by the ids of the organization and the project, and by plausible values. */
function pathOf(path: string, { orgId, groupId }: Stage): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'orgId') return orgId;
    if (name === 'groupId') return groupId;
    if (name === 'clientId') return `db_sa_id_${'f'.repeat(24)}`;
    if (name === 'cloudProvider') return 'AWS';
    return name === 'id' || name.endsWith('Id') ? 'f'.repeat(24) : 'none';
  });
}

interface Case {
  readonly row: RoleRow;
  readonly role: string;
  readonly version: string;
  readonly isLegacy?: boolean;
}

const asksForRole = rows.filter(({ letsIn }) => phrases.has(letsIn) || letsIn === 'any caller');

/**
 * The service checks roles before the query (docs/contract/access.md 1.5). A query that is always invalid therefore
 * shows whether the role suffices, without any effect.
 */
const REFUSED = new Set([
  'USER_UNAUTHORIZED',
  'NOT_ORG_OWNER',
  'NOT_ORG_GROUP_CREATOR',
  'USER_CANNOT_ACCESS_ORG',
]);
const LET_IN = new Set(['INVALID_QUERY_PARAMETER', 'RATE_LIMITED']);

function isLetIn(reply: Reply): boolean {
  const code = String(reply.json().errorCode);
  assert.ok(
    REFUSED.has(code) || LET_IN.has(code),
    `${reply.method} ${reply.url}: ${reply.status} ${reply.text}`,
  );
  return LET_IN.has(code);
}

async function ask(stage: Stage, { row, role, version, isLegacy }: Case): Promise<boolean> {
  const caller = stage.callers.get(role);
  assert.ok(caller);
  const path = `${pathOf(row.path, stage)}?pretty=perhaps`;
  const options = { accept: `application/vnd.service.${version}+json` };
  return isLetIn(
    isLegacy
      ? await caller.send(row.method, `/api/service/v1.0${path}`)
      : await caller.send(row.method, path, undefined, options),
  );
}

function isExpected({ row, role }: Case): boolean {
  return phrases.get(row.letsIn)?.has(role) ?? true;
}

const AT_ONCE = 16;

/** Sends all requests. Returns those whose result differs from the table. */
async function differing(stage: Stage, cases: readonly Case[]): Promise<string[]> {
  const wrong: string[] = [];
  for (let start = 0; start < cases.length; start += AT_ONCE) {
    const some = cases.slice(start, start + AT_ONCE);
    const answers = await Promise.all(some.map((one) => ask(stage, one)));
    some.forEach((one, index) => {
      if (answers[index] === isExpected(one)) return;
      wrong.push(`${one.role} ${answers[index] ? 'may' : 'may not'} ${one.row.operation} in ${one.version}`);
    });
  }
  return wrong;
}

const inNewest = asksForRole.filter(({ versions }) => versions.includes(NEWEST));
const everyRole: readonly Case[] = inNewest.flatMap((row) =>
  roles.map((role) => ({ row, role, version: NEWEST })),
);

/**
 * For each operation and version, one case with a sufficient role and one with an insufficient role, if such roles
 * exist.
 */
const everyVersion: readonly Case[] = asksForRole.flatMap((row, index) =>
  row.versions.flatMap((version, turn) => {
    const pick = (wanted: boolean) => {
      const fitting = roles.filter((role) => (phrases.get(row.letsIn)?.has(role) ?? true) === wanted);
      const role = fitting[(index + turn) % fitting.length];
      const isLegacy = version === LEGACY && !NOT_IN_LEGACY.includes(row.operation);
      return role === undefined ? [] : [{ row, role, version, isLegacy }];
    };
    return [...pick(true), ...pick(false)];
  }),
);

const chosen: Readonly<Record<SetupKind, readonly Case[]>> = {
  'SQLite, one instance': [...everyRole, ...everyVersion],
  // All setups decide by the same code. Instances can differ only in the roles that they have cached, so few cases are
  // enough.
  'PostgreSQL, two instances': everyVersion,
};

for (const kind of Object.keys(chosen) as SetupKind[]) {
  onSetup(kind, 'roles that operations require', (setup) => {
    test('each operation permits exactly the roles that docs/roles.md lists', async () => {
      const cases = chosen[kind];
      assert.ok(cases.length > 300 && roles.length === 20, `${cases.length} cases`);
      assert.deepEqual(await differing(await stageOf(setup), cases), []);
    });
  });
}
