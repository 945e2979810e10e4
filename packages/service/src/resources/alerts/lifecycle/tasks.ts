import type { ReadTx, Tx } from '../../../store/index.ts';
import { step, type TaskContext, type TaskKind } from '../../../tasks/index.ts';
import { findProject } from '../../projects/index.ts';
import type { Services } from '../../services.ts';
import { type ConfigurationRow, findConfiguration } from '../configurations/rows.ts';
import { openSecrets } from '../configurations/secrets.ts';
import { deliver } from '../delivery/deliver.ts';
import { messageOf } from '../delivery/message.ts';
import type { Delivery } from '../delivery/outcome.ts';
import { recipientsOf } from '../delivery/recipients.ts';
import type { Reason } from '../delivery/rows.ts';
import { insertNotification } from '../delivery/rows.ts';
import { type AlertRow, alertById, updateAlert } from '../model/rows.ts';
import type { StoredNotification } from '../notifications/read.ts';
import type { Secrets } from '../notifications/secrets.ts';
import { openAlert } from './changes.ts';
import { recordFailure } from './feed.ts';
import { nextDue } from './notification-schedule.ts';
import { allSecrets, integrationOf, markOf, removeRejected } from './rejected-secrets.ts';
import { isAcknowledged } from './rules.ts';
import {
  NOTIFY,
  NOTIFY_ONCE,
  type OneTimeNotification,
  restoredAlert,
  type ScheduledNotification,
  scheduleNotification,
} from './work.ts';

/** A notification to send. The transaction that reads it ends before it is sent. */
interface PendingNotification {
  readonly alert: AlertRow;
  readonly reason: Reason;
  readonly severity: ConfigurationRow['document']['severityOverride'] | null;
  readonly notification: StoredNotification;
  readonly secrets: Secrets;
}

/** The number of delivery attempts (docs/contract/access.md 8.8). */
const MAX_ATTEMPTS = 3;

/** The attempts are some ten seconds apart, since the receiver may be restarting. */
const trying = {
  attempts: MAX_ATTEMPTS,
  backOff: { first: 10_000, greatest: 20_000 },
  awaitsExternalServices: true,
} as const;

/**
 * The error of an attempt begins with this text if the receiver has rejected the secret in this attempt and in all
 * earlier ones.
 */
const REJECTED = 'the secret is rejected: ';

interface Sent {
  readonly delivery: Delivery;
  /** The mark of the secrets of the notification (`markOf`). Present only if the receiver rejects these secrets. */
  readonly rejected?: string;
}

/** Sends a notification. Returns the outcome, or throws if the task should retry. */
async function send(
  {
    services,
    store,
    signal,
    attempt,
    lastError,
  }: Pick<TaskContext<Services, unknown>, 'services' | 'store' | 'signal' | 'attempt' | 'lastError'>,
  { alert, reason, severity, notification, secrets }: PendingNotification,
): Promise<Sent | undefined> {
  const prepared = await store.read(async (tx) => {
    const message = await messageOf(tx, alert, reason, severity, services);
    const reached = await recipientsOf(tx, alert.groupId, notification);
    return message && { message, reached, integration: await integrationOf(tx, alert.groupId, notification) };
  });
  if (!prepared) return undefined;
  const { message, reached, integration } = prepared;
  const own = allSecrets(services.secrets, notification, secrets, integration);
  const fields = { ...integration?.document, ...notification };
  const { isRejected, isPermanent, ...delivery } = await deliver(
    services.outgoing,
    message,
    fields,
    own,
    reached,
    signal,
  );
  // A proxy, or a service that is starting, may reject a single attempt. So only a rejection of all attempts counts.
  const isAlwaysRejected = isRejected && (attempt === 1 || lastError?.startsWith(REJECTED) === true);
  const mayRetry = attempt < MAX_ATTEMPTS && !isPermanent;
  if (delivery.outcome === 'FAILED' && mayRetry)
    throw new Error(isAlwaysRejected ? REJECTED + delivery.problem : delivery.problem);
  return { delivery, ...(isAlwaysRejected && { rejected: markOf(services.secrets, own) }) };
}

async function keep(
  tx: Tx,
  { secrets }: Pick<Services, 'secrets'>,
  { alert, reason, notification }: Pick<PendingNotification, 'alert' | 'reason' | 'notification'>,
  sent: Sent | undefined,
): Promise<void> {
  // The project may have been removed before this attempt.
  if (!sent || !(await findProject(tx, alert.groupId))) return;
  const { delivery, rejected } = sent;
  const { id: alertId, groupId } = alert;
  const kind = notification.typeName;
  await insertNotification(tx, { id: tx.id(), groupId, alertId, created: tx.now, kind, reason, delivery });
  const { outcome, problem } = delivery;
  if (problem !== undefined && outcome !== 'KEPT') await recordFailure(tx, alert, `${kind}: ${problem}`);
  const row = await alertById(tx, alertId);
  if (row) await updateAlert(tx, { ...row, lastNotified: tx.now });
  if (rejected === undefined) return;
  const { notifierId } = notification;
  await removeRejected(tx, secrets, {
    groupId,
    configurationId: alert.configurationId,
    notifierId,
    rejected,
  });
}

/** Sends a notification of a changed alert or a one-time event. */
export const notifyOnce: TaskKind<OneTimeNotification, Services> = {
  ...NOTIFY_ONCE,
  ...trying,
  steps: [
    step({
      name: 'send',
      run: (context) => {
        const { alert: stored, sealed, ...telling } = context.payload;
        const alert = restoredAlert(stored);
        const secret = sealed === undefined ? undefined : Buffer.from(sealed, 'base64');
        const secrets = openSecrets(context.services.secrets, alert.configurationId, secret);
        return send(context, { ...telling, alert, secrets });
      },
      async commit(tx, { payload, services }, sent) {
        await keep(tx, services, { ...payload, alert: restoredAlert(payload.alert) }, sent);
      },
    }),
  ],
};

/** Returns the current alert, configuration and notification of a task; undefined if the task has nothing to send. */
async function dueNow(tx: ReadTx, { alertId, notifierId }: ScheduledNotification) {
  const alert = await alertById(tx, alertId);
  if (!alert || alert.status === 'CLOSED') return undefined;
  const configuration = await findConfiguration(tx, alert.groupId, alert.configurationId);
  const notification = configuration?.document.notifications.find((each) => each.notifierId === notifierId);
  return configuration?.enabled && notification ? { alert, configuration, notification } : undefined;
}

/**
 * Opens an alert when its first notification is due. Sends this notification, and repeats it while the alert is live.
 */
export const notifyOnSchedule: TaskKind<ScheduledNotification, Services> = {
  ...NOTIFY,
  ...trying,
  steps: [
    {
      name: 'open',
      async commit(tx, { payload }) {
        const due = await dueNow(tx, payload);
        if (due) await openAlert(tx, due.alert);
      },
    },
    step({
      name: 'send',
      async run(context) {
        const { payload, services, store } = context;
        const due = await store.read((tx) => dueNow(tx, payload));
        if (!due || isAcknowledged(due.alert, services.clock.now())) return undefined;
        const { configuration, ...rest } = due;
        const secrets = openSecrets(services.secrets, configuration.id, configuration.secrets);
        const severity = configuration.document.severityOverride ?? null;
        return send(context, { ...rest, severity, secrets, reason: payload.reason });
      },
      async commit(tx, { payload, services }, sent) {
        const due = await dueNow(tx, payload);
        if (!due) return;
        await keep(tx, services, { ...due, reason: payload.reason }, sent);
        const next = nextDue(new Date(payload.due), due.notification, tx.now);
        if (!next) return;
        const reason = sent === undefined ? payload.reason : 'update';
        await scheduleNotification(tx, due.alert.groupId, { ...payload, due: next.toISOString(), reason });
      },
    }),
  ],
};
