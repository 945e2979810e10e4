import type { Tx } from '../../../store/index.ts';
import { notificationFaults } from './faults.ts';
import { type Notification, type NotificationKind, notificationKinds } from './kinds.ts';
import { checkList, checkNotification, checkSecret, DEFAULT_INTERVAL, missing, targetOf } from './rules.ts';
import { isMaskOf, maskedSecret, type Secrets, secretFields } from './secrets.ts';

/** The notifications of a configuration with masked secrets, and the secrets themselves. */
export interface Targets {
  readonly notifications: readonly StoredNotification[];
  readonly secrets: Secrets;
}

export interface StoredNotification extends Notification {
  readonly notifierId: string;
  readonly delayMin: number;
}

/** An integration of the project. Notifications of the same type may use its credentials. */
interface IntegrationRef {
  readonly id: string;
  readonly type: string;
}

export const noTargets: Targets = { notifications: [], secrets: {} };

/**
 * Reads the notifications of a body. If `before` contains a notification with the same notifier id, its secrets replace
 * those that the body omits or contains in masked form. Any other notification gets a new notifier id.
 */
export async function readTargets(
  tx: Tx,
  { groupId, integrations }: { readonly groupId: string; readonly integrations: readonly IntegrationRef[] },
  given: readonly Notification[],
  before: Targets,
): Promise<Targets> {
  checkList(given);
  const notifications: StoredNotification[] = [];
  const secrets: Record<string, Readonly<Record<string, string>>> = {};
  for (const [place, notification] of given.entries()) {
    const path = `notifications.${place}`;
    checkNotification(notification, path);
    const integration = integrationFor(integrations, notification);
    // If two notifications have the same notifier id, the second counts as a new notification, with its own secrets and
    // schedule.
    const former = formerOf(notification, before, secrets);
    const notifierId = former?.notifierId ?? chosenId(notification, secrets) ?? tx.id();
    const kept = before.secrets[former?.notifierId ?? ''] ?? {};
    const kind = notificationKinds[notification.typeName];
    const own = secretsOf(kind, notification, kept, path, integration);
    secrets[notifierId] = own;
    notifications.push({
      ...stored(notification, notifierId),
      ...(integration && { integrationId: integration.id }),
      ...(await targetOf(tx, groupId, notification)),
      ...shownSecrets(kind, own),
    });
  }
  return { notifications, secrets };
}

/**
 * Returns the integration whose credentials a notification uses. This is the integration with the given id or, for a
 * webhook without a URL, the project's webhook integration. Throws INTEGRATION_NOT_CONFIGURED if no integration has the
 * given id.
 */
function integrationFor(
  integrations: readonly IntegrationRef[],
  { typeName, integrationId, webhookUrl }: Notification,
): IntegrationRef | undefined {
  const isNamed = integrationId !== undefined;
  if (!isNamed && (typeName !== 'WEBHOOK' || webhookUrl !== undefined)) return undefined;
  const found = integrations.find(({ type }) => type === typeName);
  if (isNamed && found?.id !== integrationId) throw notificationFaults.INTEGRATION_NOT_CONFIGURED(typeName);
  return found;
}

/**
 * Returns the stored notification that a notification of a body replaces. A notification of another kind replaces none.
 */
function formerOf({ notifierId, typeName }: Notification, { notifications }: Targets, taken: Secrets) {
  const former = notifications.find((each) => each.notifierId === notifierId && each.typeName === typeName);
  return former && Object.hasOwn(taken, former.notifierId) ? undefined : former;
}

/** Returns the id that the caller chose for a new notification, unless an earlier notification has it. */
function chosenId({ chosenId: id }: Notification, taken: Secrets): string | undefined {
  return id === undefined || Object.hasOwn(taken, id) ? undefined : id;
}

function stored({ chosenId: _, ...notification }: Notification, notifierId: string): StoredNotification {
  const { delayMin = 0, intervalMin = DEFAULT_INTERVAL } = notification;
  const common = { ...notification, delayMin, notifierId };
  return notificationKinds[notification.typeName].repeatsItself ? common : { ...common, intervalMin };
}

/**
 * Merges the secrets of the fields in a body with the stored ones. A secret that neither of them contains may come from
 * `integration`.
 */
export function secretsOf(
  kind: NotificationKind,
  fields: Readonly<Record<string, unknown>>,
  kept: Readonly<Record<string, string>>,
  path: string,
  integration?: object,
): Record<string, string> {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const secrets: Record<string, string> = {};
  for (const [name, form] of secretFields(kind)) {
    const value = fields[name];
    const former = kept[name];
    const isGiven = typeof value === 'string' && !(former !== undefined && isMaskOf(form, former, value));
    const secret = isGiven ? value : former;
    if (secret !== undefined) {
      if (isGiven) checkSecret(name, secret, at(name));
      secrets[name] = secret;
    } else if (kind.required.includes(name) && integration === undefined) throw missing(name, at(name));
  }
  return secrets;
}

/** Returns the masked secrets by field. */
export function shownSecrets(kind: NotificationKind, secrets: Readonly<Record<string, string>>) {
  const fields = secretFields(kind);
  return Object.fromEntries(
    fields.flatMap(([name, form]) => {
      const secret = secrets[name];
      return secret === undefined ? [] : [[name, maskedSecret(form, secret)]];
    }),
  );
}
