import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backedUp, backupsOf } from './support/backups.ts';
import { expectDuplicate } from './support/duplicate-names.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import {
  clusterBody,
  gone,
  idIn,
  idle,
  type ListDocument,
  linksTo,
  newCluster,
  newProject,
  withoutOrigins,
} from './support/stage.ts';
import { eventTypes } from './support/users.ts';

const ADA = {
  authorizedEmail: 'ada@example.com',
  authorizedUserFirstName: 'Ada',
  authorizedUserLastName: 'Quayle',
};
const days = (frequencyType: string, frequencyInterval: number, retentionValue: number) => {
  return { frequencyType, frequencyInterval, retentionUnit: 'days', retentionValue };
};
const WANTED = {
  ...ADA,
  onDemandPolicyItem: days('ondemand', 0, 10),
  scheduledPolicyItems: [days('hourly', 6, 9), days('daily', 1, 9)],
};

interface PolicyDocument extends Record<string, unknown> {
  readonly state?: string;
}

interface ScheduleDocument {
  readonly policies: [{ readonly policyItems: ReturnType<typeof days>[] }];
  readonly restoreWindowDays: number;
}

onOneSetup('SQLite, one instance', 'backup compliance policies', (setup) => {
  const { fleet, taken } = backupsOf(setup);
  const pathOf = (project: string) => `${project}/backupCompliancePolicy`;
  const put = (project: string, body: object, query = '') =>
    setup.owner.send('PUT', pathOf(project) + query, body);
  const read = async (project: string) =>
    expectStatus<PolicyDocument>(await setup.owner.get(pathOf(project)), 200);
  const settled = (project: string, state: string | undefined) =>
    until(
      `the policy ${state}`,
      () => read(project),
      (policy) => policy.state === state,
    );
  const retentions = async (cluster: string) => {
    const { policies } = expectStatus<ScheduleDocument>(
      await setup.owner.get(`${cluster}/backup/schedule`),
      200,
    );
    return policies[0].policyItems.map((one) => [
      one.frequencyType,
      one.frequencyInterval,
      one.retentionValue,
      one.retentionUnit,
    ]);
  };
  const allow = (project: string, deletable: boolean) =>
    setup.operator.patch(`/operator/v1${pathOf(project)}`, { deletable });

  test('a policy strengthens schedules, and prevents the deletion of snapshots before their expiry', async (t) => {
    const { project, cluster } = await fleet(t);
    const plain = await newCluster(setup, project, 'plain');
    const early = await taken(cluster);
    assert.deepEqual(await read(project), {});
    expectFault(
      await put(project, WANTED, '?overwriteBackupPolicies=false'),
      400,
      'BACKUP_POLICIES_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS',
      [['fleet']],
    );
    expectFault(
      await put(project, { ...WANTED, encryptionAtRestEnabled: true }),
      400,
      'BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID',
      ['the cluster fleet is not encrypted with a customer-managed key'],
    );
    expectFault(await put(project, { authorizedEmail: 'ada@example.com' }), 400, 'MISSING_ATTRIBUTES', [
      'authorizedUserFirstName, authorizedUserLastName',
    ]);

    const enabling = expectStatus<PolicyDocument>(await put(project, WANTED), 200);
    const { updatedDate, onDemandPolicyItem, scheduledPolicyItems, ...document } = enabling;
    assert.deepEqual(withoutOrigins(document), {
      ...ADA,
      copyProtectionEnabled: false,
      deletable: false,
      encryptionAtRestEnabled: false,
      links: linksTo(pathOf(project)),
      pitEnabled: false,
      projectId: idIn(project),
      restoreWindowDays: 0,
      state: 'ENABLING',
      updatedUser: setup.bootstrap.publicKey,
    });
    assert.ok(updatedDate);
    const withoutId = (item: unknown) => {
      const { id, ...rest } = item as Record<string, unknown>;
      assert.match(String(id), /^[0-9a-f]{24}$/);
      return rest;
    };
    assert.deepEqual(withoutId(onDemandPolicyItem), WANTED.onDemandPolicyItem);
    assert.deepEqual((scheduledPolicyItems as unknown[]).map(withoutId), WANTED.scheduledPolicyItems);
    const active = await settled(project, 'ACTIVE');

    const strong = [
      ['hourly', 6, 9, 'days'],
      ['daily', 1, 9, 'days'],
      ['weekly', 6, 4, 'weeks'],
      ['monthly', 40, 12, 'months'],
      ['yearly', 12, 1, 'years'],
    ];
    assert.deepEqual(await retentions(cluster), strong);
    // The policy applies to a cluster that had no backups before.
    assert.deepEqual(await retentions(plain), strong);
    const late = await newCluster(setup, project, 'late');
    await until(
      'its backups',
      async () => expectStatus(await setup.owner.get(late), 200),
      ({ providerBackupEnabled }) => providerBackupEnabled === true,
    );
    assert.deepEqual(await retentions(late), strong);

    expectFault(
      await setup.owner.patch(plain, { providerBackupEnabled: false }),
      400,
      'CANNOT_DISABLE_CLOUD_BACKUP_WITH_BACKUP_COMPLIANCE_POLICY',
    );
    const schedule = `${cluster}/backup/schedule`;
    expectFault(
      await setup.owner.delete(schedule),
      400,
      'BACKUP_POLICY_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS',
    );
    const weaker = { policies: [{ policyItems: [days('daily', 1, 9)] }] };
    expectFault(
      await setup.owner.patch(schedule, weaker),
      400,
      'BACKUP_POLICY_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS',
    );
    expectStatus(await setup.owner.patch(schedule, { referenceHourOfDay: 3 }), 200);

    const snapshots = `${cluster}/backup/snapshots`;
    expectFault(
      await setup.owner.delete(`${snapshots}/${early.id}`),
      400,
      'CANNOT_DELETE_SNAPSHOT_WITH_BACKUP_COMPLIANCE_POLICY',
    );
    const keep = (retentionValue: number) =>
      setup.owner.patch(`${snapshots}/${early.id}`, { retentionUnit: 'DAYS', retentionValue });
    expectFault(await keep(2), 400, 'CANNOT_DECREASE_SNAPSHOT_RETENTION_WITH_BACKUP_COMPLIANCE_POLICY');
    expectFault(await keep(5), 400, 'SNAPSHOT_RETENTION_LESS_THAN_BACKUP_COMPLIANCE_POLICY', [10]);
    expectStatus(await keep(12), 200);
    expectFault(
      await setup.owner.post(snapshots, { retentionInDays: 9 }),
      400,
      'SNAPSHOT_RETENTION_LESS_THAN_BACKUP_COMPLIANCE_POLICY',
      [10],
    );
    const usual = await taken(cluster, '', {});
    assert.equal(Date.parse(usual.expiresAt) - Date.parse(usual.createdAt ?? ''), 10 * 86_400_000);

    // The backups are retained, although the request does not set `retainBackups`.
    expectStatus(await setup.owner.delete(cluster), 202);
    await gone(setup.owner, cluster);
    const kept = expectStatus<ListDocument>(await setup.owner.get(snapshots), 200);
    assert.deepEqual(
      kept.results.map(({ id }) => id),
      [early.id, usual.id],
    );
    // The names of clusters with retained backups stay reserved, in upper and in lower case.
    for (const name of ['fleet', 'FLEET']) await expectDuplicate(setup, project, name);

    expectFault(
      await put(project, { ...WANTED, scheduledPolicyItems: [] }),
      400,
      'BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID',
      ['the hourly item would be removed or its retention would decrease'],
    );
    const { state: _, ...former } = active;
    const stricter = { ...former, copyProtectionEnabled: true };
    assert.equal(expectStatus<PolicyDocument>(await put(project, stricter), 200).state, 'UPDATING');
    const after = await settled(project, 'ACTIVE');
    assert.equal(after.copyProtectionEnabled, true);
    // The items keep their ids.
    assert.deepEqual(after.onDemandPolicyItem, active.onDemandPolicyItem);
    assert.deepEqual(after.scheduledPolicyItems, active.scheduledPolicyItems);
    const copies = { deleteCopiedBackups: [{ cloudProvider: 'AWS', regionName: 'EU_WEST_1' }] };
    expectFault(
      await setup.owner.patch(`${late}/backup/schedule`, copies),
      400,
      'CANNOT_DELETE_COPY_SNAPSHOT_WITH_BACKUP_COMPLIANCE_POLICY_ENABLED',
    );
    expectFault(await setup.owner.delete(pathOf(project)), 400, 'CANNOT_DISABLE_BACKUP_COMPLIANCE_POLICY');

    expectStatus(await allow(project, true), 200);
    expectStatus(await setup.owner.delete(pathOf(project)), 204);
    await settled(project, undefined);
    expectStatus(await setup.owner.patch(plain, { providerBackupEnabled: false }), 200);
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('fleet', backedUp)), 201);
    const types = await eventTypes(setup.owner, project);
    for (const type of [
      'ENABLE_REQUESTED',
      'ENABLED',
      'UPDATE_REQUESTED',
      'UPDATED',
      'DISABLE_REQUESTED',
      'DISABLED',
      'APPROVED_FOR_DISABLEMENT',
    ])
      assert.ok(types.includes(`CPS_DATA_PROTECTION_${type}`), type);
  });

  test('a policy for continuous backup enables it, and a project without backups can be deleted', async () => {
    const project = await newProject(setup);
    const wanted = { ...WANTED, pitEnabled: true, restoreWindowDays: 8 };
    // Earlier versions require only an address.
    const legacy = await setup.owner.send('PUT', `/api/service/v1.0${pathOf(project)}`, {
      ...wanted,
      authorizedUserFirstName: undefined,
      authorizedUserLastName: undefined,
    });
    assert.equal(expectStatus<PolicyDocument>(legacy, 200).authorizedUserFirstName, undefined);
    const [one, other] = await Promise.all([put(project, wanted), put(project, wanted)]);
    for (const reply of [one, other]) {
      if (reply?.status === 200) continue;
      expectFault(
        reply as NonNullable<typeof reply>,
        400,
        'CANNOT_UPDATE_BACKUP_COMPLIANCE_POLICY_SETTINGS_WITH_PENDING_ACTION',
      );
    }
    await settled(project, 'ACTIVE');
    expectFault(await setup.owner.delete(project), 409, 'CANNOT_CLOSE_GROUP_ACTIVE_BACKUP_COMPLIANCE_POLICY');
    for (const [change, code] of [
      [{ pitEnabled: false }, 'CANNOT_DISABLE_PIT_WITH_BACKUP_COMPLIANCE_POLICY'],
      [{ restoreWindowDays: 7 }, 'CANNOT_DECREASE_PIT_WINDOW_WITH_BACKUP_COMPLIANCE_POLICY'],
    ] as const)
      expectFault(await put(project, { ...wanted, ...change }), 400, code);

    const cluster = await newCluster(setup, project, 'fleet', backedUp);
    await until(
      'continuous backup',
      async () => expectStatus(await setup.owner.get(cluster), 200),
      ({ pitEnabled }) => pitEnabled === true,
    );
    const { restoreWindowDays } = expectStatus<ScheduleDocument>(
      await setup.owner.get(`${cluster}/backup/schedule`),
      200,
    );
    assert.equal(restoreWindowDays, 8);
    await idle(setup.owner, cluster);
    const disabled = 'CANNOT_DISABLE_CLOUD_BACKUP_WITH_BACKUP_COMPLIANCE_POLICY';
    const oldest = `/api/service/v1.0${cluster}`;
    expectFault(await setup.owner.patch(cluster, { providerBackupEnabled: false }), 400, disabled);
    expectFault(await setup.owner.patch(oldest, { providerBackupEnabled: false }), 400, disabled);
    expectFault(
      await setup.owner.patch(cluster, { pitEnabled: false }),
      400,
      'CANNOT_DISABLE_PIT_WITH_BACKUP_COMPLIANCE_POLICY',
    );
    expectFault(
      await setup.owner.patch(`${cluster}/backup/schedule`, { restoreWindowDays: 7 }),
      400,
      'CANNOT_DECREASE_PIT_WINDOW_WITH_BACKUP_COMPLIANCE_POLICY',
    );
    expectStatus(await setup.owner.delete(cluster), 202);
    await gone(setup.owner, cluster);
    // The name stays reserved, in upper and in lower case, although the cluster had no snapshots to retain.
    for (const name of ['fleet', 'FLEET', 'Fleet']) await expectDuplicate(setup, project, name);
    expectStatus(await setup.owner.delete(pathOf(project)), 204);
    await settled(project, undefined);
    expectStatus(await setup.owner.delete(project), 204);
    const bare = await newProject(setup);
    expectFault(await allow(bare, true), 404, 'RESOURCE_NOT_FOUND', [`/operator/v1${pathOf(bare)}`]);
  });
});
