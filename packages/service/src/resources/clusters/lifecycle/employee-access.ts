import { generalFaults } from '../../../api/faults.ts';
import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterById, updateCluster } from '../rows.ts';
import { EXPIRE_GRANT, type GrantExpiry, scheduleGrantExpiry } from './dated-work.ts';
import { recordOn } from './events.ts';

/**
 * This file grants the operator's employees temporary access to a cluster. The grant is only stored, and has
 * no effect on the nodes.
 */

interface Grant {
  readonly grantType: string;
  readonly until: Date;
  /** Whether the date can be in the past. The cluster then shows the grant until it is revoked. */
  readonly acceptsPast: boolean | undefined;
}

export async function grantEmployeeAccess(
  tx: Tx,
  cluster: ClusterModel,
  { grantType, until, acceptsPast }: Grant,
  actor: Actor,
): Promise<void> {
  const isPast = until <= tx.now;
  if (isPast && acceptsPast !== true) throw generalFaults.EXPIRATION_DATE_IN_PAST().at('expirationTime');
  const employeeAccess = { grantType, expirationTime: until.toISOString() };
  await updateCluster(tx, { ...cluster, spec: { ...cluster.spec, employeeAccess } });
  if (!isPast) await scheduleGrantExpiry(tx, cluster, until);
  await recordOn(tx, cluster, 'EMPLOYEE_ACCESS_GRANTED', actor);
}

export async function revokeEmployeeAccess(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<void> {
  const { employeeAccess, ...spec } = cluster.spec;
  if (employeeAccess === undefined) return;
  await updateCluster(tx, { ...cluster, spec });
  await recordOn(tx, cluster, 'EMPLOYEE_ACCESS_REVOKED', actor);
}

/** Ends employee access at its end date, unless it was revoked or granted again before. */
export const expireGrant: TaskKind<GrantExpiry, Services> = {
  ...EXPIRE_GRANT,
  steps: [
    {
      name: 'revoke',
      async commit(tx, { payload }) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (cluster?.spec.employeeAccess?.expirationTime !== payload.expires) return;
        await revokeEmployeeAccess(tx, cluster, system);
      },
    },
  ],
};
