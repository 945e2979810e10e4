import { generalFaults } from '../../../api/faults.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { updateCluster } from '../rows.ts';
import { recordOn } from './events.ts';

/** Who operates the service may look at a cluster for a while. Stored and answered: nobody here is staff. */

export async function grantEmployeeAccess(
  tx: Tx,
  cluster: ClusterModel,
  grant: { readonly grantType: string; readonly until: Date },
  actor: Actor,
): Promise<void> {
  const { grantType, until } = grant;
  if (until <= tx.now) throw generalFaults.INVALID_ATTRIBUTE('expirationTime');
  const employeeAccess = { grantType, expirationTime: until.toISOString() };
  await updateCluster(tx, { ...cluster, spec: { ...cluster.spec, employeeAccess } });
  await recordOn(tx, cluster, 'EMPLOYEE_ACCESS_GRANTED', actor);
}

export async function revokeEmployeeAccess(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<void> {
  const { employeeAccess, ...spec } = cluster.spec;
  if (employeeAccess === undefined) return;
  await updateCluster(tx, { ...cluster, spec });
  await recordOn(tx, cluster, 'EMPLOYEE_ACCESS_REVOKED', actor);
}
