import Type from 'typebox';
import { Choice, DateTime, Links } from '../../../api/fields.ts';
import { operation } from '../../services.ts';
import { grantEmployeeAccess, revokeEmployeeAccess } from '../lifecycle/employee-access.ts';
import { requireCluster } from '../require.ts';

const EmployeeAccessGrant = Type.Object({
  expirationTime: DateTime({ description: 'Time at which the access expires.' }),
  grantType: Choice(
    ['CLUSTER_DATABASE_LOGS', 'CLUSTER_INFRASTRUCTURE', 'CLUSTER_INFRASTRUCTURE_AND_APP_SERVICES_SYNC_DATA'],
    {
      description: 'Data that employees of the operator may access. The value is stored, but has no effect.',
    },
  ),
  links: Links,
});

interface Body extends Type.Static<typeof EmployeeAccessGrant> {
  /** Dialects set this field, which allows dates in the past. */
  readonly acceptsPast?: boolean;
}

export const grantDbEmployeeAccess = operation({
  id: 'grantDbEmployeeAccess',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}:grantDbEmployeeAccess',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: "Grants the operator's employees access to a cluster until a date.",
  access: 'Project Owner',
  body: EmployeeAccessGrant,
  status: 204,
  async handler(call) {
    const { grantType, expirationTime, acceptsPast }: Body = call.body;
    const grant = { grantType, until: new Date(expirationTime), acceptsPast };
    await call.write(async (tx) => {
      await grantEmployeeAccess(tx, await requireCluster(tx, call.params), grant, call.actor);
    });
  },
});

export const revokeDbEmployeeAccess = operation({
  id: 'revokeDbEmployeeAccess',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}:revokeDbEmployeeAccess',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: "Revokes the access of the operator's employees to a cluster.",
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      await revokeEmployeeAccess(tx, await requireCluster(tx, call.params), call.actor);
    });
  },
});
