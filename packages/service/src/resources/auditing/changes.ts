import type { Actor } from '../../events/index.ts';
import type { Topic, Tx } from '../../store/index.ts';
import { recordInProject } from '../projects/index.ts';
import { type Auditing, findAuditing, saveAuditing } from './rows.ts';
import type { AuditingConfiguration } from './schema.ts';

/** Published when the audit configuration of a project has changed. */
export const auditingChanged: Topic<{ readonly groupId: string }> = { name: 'auditing changed' };

export const NOT_AUDITED: Auditing = { enabled: false, authorizationSuccess: false };

/** Applies the fields of a body; absent fields stay unchanged. */
export async function changeAuditing(
  tx: Tx,
  groupId: string,
  body: AuditingConfiguration,
  actor: Actor,
): Promise<Auditing> {
  const { filter: former, ...before } = (await findAuditing(tx, groupId)) ?? NOT_AUDITED;
  const filter = body.auditFilter ?? former;
  const auditing: Auditing = {
    enabled: body.enabled ?? before.enabled,
    authorizationSuccess: body.auditAuthorizationSuccess ?? before.authorizationSuccess,
    ...(filter === undefined ? {} : { filter }),
  };
  await saveAuditing(tx, groupId, auditing);
  await recordInProject(tx, groupId, { type: 'AUDIT_LOG_CONFIGURATION_UPDATED', actor });
  await tx.publish(auditingChanged, { groupId });
  return auditing;
}
