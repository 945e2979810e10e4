import Type from 'typebox';
import { generalFaults } from '../../../api/faults.ts';
import { extension, operation } from '../../services.ts';
import { type ComplianceRow, complianceOf } from '../model/compliance/rows.ts';
import { allowDisabling, requestDisabling, requestPolicy } from './changes.ts';
import { readPolicy } from './rules.ts';
import { Disablement, FormerPolicyBody, Policy, PolicyBody } from './schema.ts';

function presentPolicy({ groupId, state, policy }: ComplianceRow) {
  const { email, firstName, lastName, onDemand, scheduled } = policy;
  return {
    authorizedEmail: email,
    ...(firstName === undefined ? {} : { authorizedUserFirstName: firstName }),
    ...(lastName === undefined ? {} : { authorizedUserLastName: lastName }),
    copyProtectionEnabled: policy.copyProtection,
    deletable: policy.deletable,
    encryptionAtRestEnabled: policy.encryption,
    onDemandPolicyItem: onDemand,
    pitEnabled: policy.pit,
    projectId: groupId,
    restoreWindowDays: policy.windowDays,
    scheduledPolicyItems: [...scheduled],
    state,
    updatedDate: policy.updated,
    updatedUser: policy.updatedBy,
  };
}

export const getDataProtectionSettings = operation({
  id: 'getDataProtectionSettings',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/backupCompliancePolicy',
  versions: { '2023-01-01': 'same', '2023-10-01': 'same', '2025-03-12': 'same' },
  summary: 'Returns the backup compliance policy of a project, or an empty object if it has none.',
  access: 'Project Owner',
  reply: Policy,
  status: 200,
  reachedFrom: { project: 'backupCompliancePolicy' },
  handler: (call) =>
    call.read(async (tx) => {
      const row = await complianceOf(tx, call.params.groupId);
      return row === undefined ? {} : presentPolicy(row);
    }),
});

export const updateDataProtectionSettings = operation({
  id: 'updateDataProtectionSettings',
  tag: 'Cloud Backups',
  method: 'PUT',
  path: '/groups/{groupId}/backupCompliancePolicy',
  summary: 'Creates the backup compliance policy of a project, or makes it stricter.',
  access: 'Project Owner',
  versions: { '2023-01-01': { body: FormerPolicyBody }, '2023-10-01': 'same', '2025-03-12': 'same' },
  query: Type.Object({
    overwriteBackupPolicies: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether to change backup schedules that do not meet the policy. With `false`, the request fails if such schedules exist.',
      }),
    ),
  }),
  body: PolicyBody,
  reply: Policy,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId } = call.params;
      const policy = readPolicy(groupId, call.body, () => tx.id());
      const wanted = { ...policy, overwrites: call.query.overwriteBackupPolicies ?? true };
      const by = { actor: call.actor, name: call.caller.name };
      return presentPolicy(await requestPolicy(tx, groupId, wanted, by));
    }),
});

export const disableDataProtectionSettings = operation({
  id: 'disableDataProtectionSettings',
  tag: 'Cloud Backups',
  method: 'DELETE',
  path: '/groups/{groupId}/backupCompliancePolicy',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary:
    'Disables the backup compliance policy of a project. If the project has clusters or snapshots, an operator must approve this first.',
  access: 'Project Owner',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const row = await complianceOf(tx, call.params.groupId);
      if (row !== undefined) await requestDisabling(tx, row, call.actor);
    }),
});

export const changeDisablement = extension({
  id: 'allowDisablingBackupCompliancePolicy',
  summary: 'Sets whether project owners may disable the backup compliance policy of a project.',
  tag: 'Operator',
  surface: 'operator',
  method: 'PATCH',
  path: '/groups/{groupId}/backupCompliancePolicy',
  access: 'operator',
  body: Disablement,
  reply: Policy,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId } = call.params;
      const row = await complianceOf(tx, groupId);
      if (row === undefined)
        throw generalFaults.RESOURCE_NOT_FOUND(`/operator/v1/groups/${groupId}/backupCompliancePolicy`);
      return presentPolicy(await allowDisabling(tx, row, call.body.deletable, call.actor));
    }),
});
