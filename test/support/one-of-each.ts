import assert from 'node:assert/strict';
import { expectStatus, until } from './expect.ts';
import type { Setup } from './setups.ts';
import { idIn, idle, newCluster, newProject, uniqueName } from './stage.ts';
import { newUser } from './users.ts';

const V1 = '/api/service/v1.0';
const place = { backingProviderName: 'AWS', regionName: 'US_EAST_1' };

/**
 * Values of path parameters by name. If a parameter has several meanings, the key is the first segment of the path and
 * the segment before the parameter: `orgs invites`.
 */
export type Values = Readonly<Record<string, string>>;

/** Replaces the parameters of a template, which may begin with the base path of the API. */
export function pathIn(template: string, values: Values): string {
  const [root = ''] = /(?<=\/)(federationSettings|groups|orgs)(?=\/)/.exec(template) ?? [];
  return template.replace(/(?<=([^/]+)\/)\{(\w+)\}/g, (_, before: string, name: string) =>
    encodeURIComponent(values[`${root} ${before}`] ?? values[name] ?? ''),
  );
}

/** Creates one of each resource that callers can change. */
export async function valuesFor(setup: Setup): Promise<Values> {
  const { owner, bootstrap } = setup;
  const project = await newProject(setup);
  const [groupId, orgId] = [idIn(project), bootstrap.orgId];
  const org = `/orgs/${orgId}`;
  const made = async (path: string, body: unknown, field = 'id') => {
    const reply = await owner.post(path, body);
    assert.ok(reply.status < 300, reply.text);
    return String(reply.json()[field]);
  };
  const fleet = await newCluster(setup, project, 'fleet', { providerBackupEnabled: true });
  const email = { typeName: 'EMAIL', emailAddress: 'watch@example.org' };
  await made(`${project}/flexClusters`, { name: 'bend', providerSettings: place });
  await made(`${project}/serverless`, { name: 'cloud', providerSettings: place });
  await made(`${project}/integrations/SLACK`, {
    type: 'SLACK',
    apiToken: 'xoxb-token',
    channelName: 'bridge',
  });
  const roles = ['GROUP_READ_ONLY'];
  const { id: userId } = await newUser(setup, owner, [{ groupId, roleName: roles[0] }]);
  const container = { providerName: 'AWS', platformCidrBlock: '10.8.0.0/21', regionName: 'EU_WEST_1' };
  const containerId = await made(`${project}/containers`, container);
  const peer = {
    accepterRegionName: 'eu-west-1',
    awsAccountId: '123456789012',
    containerId,
    providerName: 'AWS',
    routeTableCidrBlock: '172.31.0.0/16',
    vpcId: 'vpc-0a1b2c',
  };
  const index = { collectionName: 'books', database: 'shop', name: 'words', mappings: { dynamic: true } };
  const actions = [{ action: 'FIND', resources: [{ db: 'harbour', collection: 'ports' }] }];
  await made(`${project}/customDBRoles/roles`, { roleName: 'reading', actions }, 'roleName');
  const user = {
    databaseName: 'admin',
    username: 'ada',
    password: 'a-long-password',
    roles: [{ roleName: 'read', databaseName: 'shop' }],
  };
  await made(`${project}/databaseUsers`, user, 'username');
  const teamId = await made(`${org}/teams`, { name: uniqueName('team'), usernames: [] });
  expectStatus(await owner.post(`${project}/teams`, [{ teamId, roleNames: roles }]), 200);
  const account = { name: 'a program', description: 'of a project', roles, secretExpiresAfterHours: 8 };
  const archive = {
    dbName: 'harbour',
    collName: 'calls',
    criteria: { type: 'DATE', dateField: 'at', expireAfterDays: 90 },
    paused: true,
  };
  const snapshotId = await made(`${fleet}/backup/snapshots`, { retentionInDays: 3 });
  await until(
    'a snapshot',
    async () => expectStatus(await owner.get(`${fleet}/backup/snapshots/${snapshotId}`), 200),
    ({ status }) => status === 'completed',
  );
  await idle(owner, `${project}/serverless/cloud`);
  return {
    orgId,
    groupId,
    clusterName: 'fleet',
    'groups flexClusters': 'bend',
    'groups serverless': 'cloud',
    archiveId: await made(`${fleet}/onlineArchives`, archive, '_id'),
    integrationType: 'SLACK',
    limitName: 'platform.project.deployment.clusters',
    userId,
    containerId,
    peerId: await made(`${project}/peers`, peer),
    alertConfigId: await made(`${project}/alertConfigs`, {
      eventTypeName: 'NO_PRIMARY',
      notifications: [email],
    }),
    roleId: await made(`${project}/cloudProviderAccess`, { providerName: 'AWS' }, 'roleId'),
    indexId: await made(`${V1}${project}/clusters/fleet/fts/indexes`, index, 'indexID'),
    'groups databaseUsers': 'admin',
    databaseName: 'shop',
    collectionName: 'books',
    indexName: 'words',
    username: 'ada',
    name: 'bend',
    roleName: 'reading',
    teamId,
    snapshotId,
    apiUserId: await made(`${org}/apiKeys`, { desc: 'a program', roles: ['ORG_MEMBER'] }),
    clientId: await made(`${project}/serviceAccounts`, account, 'clientId'),
    'orgs serviceAccounts': await made(
      `${org}/serviceAccounts`,
      { ...account, roles: ['ORG_MEMBER'] },
      'clientId',
    ),
    'groups invites': await made(`${project}/invites`, { username: 'eve@example.org', roles }),
    'orgs invites': await made(`${org}/invites`, { username: 'kim@example.org', roles: ['ORG_MEMBER'] }),
  };
}
