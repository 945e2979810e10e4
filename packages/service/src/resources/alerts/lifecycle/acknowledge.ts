import { generalFaults } from '../../../api/faults.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { findConfiguration } from '../configurations/rows.ts';
import { type AlertRow, updateAlert } from '../model/rows.ts';
import type { Acknowledgement } from '../model/schema.ts';
import { notifyAll } from './work.ts';

/**
 * Acknowledges an alert, changes the acknowledgement, or withdraws it. Omitted fields keep their values; a body that
 * changes nothing has no effect. Returns the alert. Throws MISSING_ATTRIBUTE for a comment without an acknowledgement.
 */
export async function acknowledgeAlert(
  tx: Tx,
  alert: AlertRow,
  { acknowledgedUntil, acknowledgementComment, unacknowledgeAlert }: Acknowledgement,
  actor: Actor,
): Promise<AlertRow> {
  const { acknowledged: before, ...document } = alert.document;
  if (unacknowledgeAlert === true) {
    if (!before) return alert;
    return change(tx, { ...alert, document }, 'ALERT_UNACKNOWLEDGED_AUDIT', actor);
  }
  if (acknowledgedUntil === undefined && acknowledgementComment === undefined) return alert;
  const until = acknowledgedUntil === undefined ? before?.until : new Date(acknowledgedUntil).toISOString();
  if (until === undefined) throw generalFaults.MISSING_ATTRIBUTE('acknowledgedUntil');
  const comment = acknowledgementComment ?? before?.comment;
  const by = actor.username ?? actor.publicKey ?? '';
  const acknowledged = { until, by, ...(comment === undefined ? {} : { comment }) };
  const after = { ...alert, document: { ...document, acknowledged } };
  const changed = await change(tx, after, 'ALERT_ACKNOWLEDGED_AUDIT', actor);
  const configuration = await findConfiguration(tx, alert.groupId, alert.configurationId);
  if (alert.status === 'OPEN' && configuration) await notifyAll(tx, 'acknowledge', changed, configuration);
  return changed;
}

async function change(tx: Tx, alert: AlertRow, type: string, actor: Actor): Promise<AlertRow> {
  const after = { ...alert, updated: tx.now };
  await updateAlert(tx, after);
  const { id: alertId, configurationId: alertConfigId, groupId } = alert;
  await recordInProject(tx, groupId, { type, actor, details: { alertId, alertConfigId } });
  return after;
}
