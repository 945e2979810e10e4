import assert from 'node:assert/strict';
import { expectStatus, until } from './expect.ts';
import type { Setup } from './setups.ts';
import { idIn, moveClock, newCluster, newProject } from './stage.ts';
import { people, userBody } from './users.ts';

/** A text that runs a script if a page inserts it as markup. */
export const MARKUP = `'"><img src=x onerror=alert(1)><script>alert(2)</script>`;
/** A text that runs a script if a page uses it as the target of a link. */
const LINK = 'javascript:alert(3)';

type Post = (path: string, body: unknown) => Promise<Record<string, unknown>>;

/** Creates a project that has markup and unsafe links in every text that can contain them. Returns its path. */
export async function hostileProject(setup: Setup): Promise<string> {
  const { owner } = setup;
  const project = await newProject(setup, { withDefaultAlertsSettings: false });
  const cluster = await newCluster(setup, project, 'harbour', { providerBackupEnabled: true });
  const post: Post = async (path, body) => {
    const reply = await owner.post(path, body);
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return reply.json();
  };
  await hostileData(cluster, post);
  await hostileAccess(setup, project, post);
  await hostileAlerts(setup, project, post);
  await hostileBackups(setup, cluster, post);
  await hostileRequests(setup, project);
  return project;
}

async function hostileData(cluster: string, post: Post): Promise<void> {
  const command = (body: object) => post(`${cluster}/commands`, { database: LINK, command: body });
  const document = { _id: MARKUP, [MARKUP]: { [LINK]: [MARKUP, LINK] } };
  await command({ insert: MARKUP, documents: [document] });
  await command({ insert: 'ships', documents: [document] });
  const key = { [LINK]: 1 };
  await command({ createIndexes: 'ships', indexes: [{ key, name: MARKUP }] });
}

async function hostileAccess(setup: Setup, project: string, post: Post): Promise<void> {
  const { orgId } = setup.bootstrap;
  const roles = ['GROUP_READ_ONLY'];
  await post(`${project}/accessList`, [{ ipAddress: '192.0.2.1', comment: MARKUP }]);
  const password = 'the password of a hostile user';
  setup.keepOutOfLogs(password);
  await post(`${project}/databaseUsers`, {
    databaseName: 'admin',
    username: MARKUP,
    password,
    roles: [{ roleName: 'read', databaseName: LINK, collectionName: MARKUP }],
  });
  const resources = [{ db: LINK, collection: MARKUP }];
  await post(`${project}/customDBRoles/roles`, {
    roleName: 'hostile',
    actions: [{ action: 'FIND', resources }],
  });
  await post(`${project}/apiKeys`, { desc: MARKUP, roles });
  await post(`/orgs/${orgId}/apiKeys`, { desc: LINK, roles: ['ORG_MEMBER'] });
  await post(`${project}/serviceAccounts`, {
    name: 'reads',
    description: 'reads',
    roles,
    secretExpiresAfterHours: 8,
  });
  await people(setup, project);
  const person = { ...userBody(), firstName: MARKUP, lastName: LINK };
  setup.keepOutOfLogs(person.password);
  await post('/users', { ...person, roles: [{ groupId: idIn(project), roleName: roles[0] }] });
}

async function hostileAlerts(setup: Setup, project: string, post: Post): Promise<void> {
  const slack = { apiToken: 'xoxb-ab-harbour', channelName: MARKUP };
  await post(`${project}/integrations/SLACK`, { type: 'SLACK', ...slack });
  await post(`${project}/alertConfigs`, {
    eventTypeName: 'DAILY_BILL_OVER_THRESHOLD',
    enabled: true,
    threshold: { operator: 'GREATER_THAN', threshold: 100, units: 'RAW' },
    notifications: [{ typeName: 'SLACK', ...slack }],
  });
  const bill = `/operator/v1/orgs/${setup.bootstrap.orgId}/billing`;
  expectStatus(await setup.operator.put(bill, { dailyBill: 101 }), 200);
  await moveClock(setup, 1);
  const { results } = await until(
    'an alert',
    async () => expectStatus<{ results: { id: string }[] }>(await setup.owner.get(`${project}/alerts`), 200),
    (found) => found.results.length > 0,
  );
  const acknowledged = { acknowledgedUntil: '2099-01-01T00:00:00Z', acknowledgementComment: MARKUP };
  expectStatus(await setup.owner.patch(`${project}/alerts/${results[0]?.id}`, acknowledged), 200);
}

async function hostileBackups({ owner }: Setup, cluster: string, post: Post): Promise<void> {
  const snapshots = `${cluster}/backup/snapshots`;
  const { id } = await post(snapshots, { retentionInDays: 3, description: MARKUP });
  await until(
    'a snapshot',
    () => owner.get(`${snapshots}/${id}`),
    (reply) => reply.json().status === 'completed',
  );
}

/** Sends requests whose paths and headers the page Requests shows. */
async function hostileRequests({ owner, connections }: Setup, project: string): Promise<void> {
  expectStatus(await owner.get(`${project}/clusters/${encodeURIComponent(MARKUP)}`), 404);
  const headers = { 'user-agent': MARKUP, referer: LINK };
  await connections[0]?.send({ method: 'GET', target: '/api/service/v2', headers });
}
