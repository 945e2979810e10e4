import Type from 'typebox';
import { generalFaults } from '../../../api/faults.ts';
import { Choice, DateTime, Links } from '../../../api/fields.ts';
import { operation } from '../../services.ts';
import { recordOn } from '../lifecycle/changes.ts';
import { requireCluster } from '../require.ts';
import { updateCluster } from '../rows.ts';

/** Who operates the service may look at a cluster for a while. Kept and answered: nobody here is staff. */

const tag = 'Clusters';
const versions = { '2024-08-05': 'same', '2025-03-12': 'same' } as const;

export const EmployeeAccessGrant = Type.Object({
  expirationTime: DateTime({ description: 'When the access ends by itself.' }),
  grantType: Choice([
    'CLUSTER_DATABASE_LOGS',
    'CLUSTER_INFRASTRUCTURE',
    'CLUSTER_INFRASTRUCTURE_AND_APP_SERVICES_SYNC_DATA',
  ]),
  links: Links,
});

export const grantEmployeeAccess = operation({
  id: 'grantDbEmployeeAccess',
  summary: "Lets the operator's staff look at a cluster until a date.",
  tag,
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}:grantDbEmployeeAccess',
  access: 'Project Owner',
  versions,
  body: EmployeeAccessGrant,
  status: 204,
  async handler(call) {
    const { grantType, expirationTime } = call.body;
    await call.write(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      const expires = new Date(expirationTime);
      if (expires <= tx.now) throw generalFaults.INVALID_ATTRIBUTE('expirationTime');
      const employeeAccess = { grantType, expirationTime: expires.toISOString() };
      await updateCluster(tx, { ...cluster, spec: { ...cluster.spec, employeeAccess } });
      await recordOn(tx, cluster, 'EMPLOYEE_ACCESS_GRANTED', call.actor);
    });
  },
});

export const revokeEmployeeAccess = operation({
  id: 'revokeDbEmployeeAccess',
  summary: "Ends the access of the operator's staff to a cluster.",
  tag,
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}:revokeDbEmployeeAccess',
  access: 'Project Owner',
  versions,
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      const { employeeAccess, ...spec } = cluster.spec;
      if (employeeAccess === undefined) return;
      await updateCluster(tx, { ...cluster, spec });
      await recordOn(tx, cluster, 'EMPLOYEE_ACCESS_REVOKED', call.actor);
    });
  },
});
