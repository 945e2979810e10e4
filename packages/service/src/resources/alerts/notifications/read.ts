import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { type IntegrationRow, integrationsOf } from '../integrations/rows.ts';
import { type Notification, notificationKinds } from './kinds.ts';
import {
  checkList,
  checkNotification,
  checkSecret,
  DEFAULT_INTERVAL,
  notificationFaults,
  targetOf,
} from './rules.ts';
import { isMaskOf, maskedSecret, type Secrets, secretFields } from './secrets.ts';

/** The notifications of a configuration, their secrets apart: where they were, stands what is shown of them. */
export interface Targets {
  readonly notifications: readonly StoredNotification[];
  readonly secrets: Secrets;
}

export interface StoredNotification extends Notification {
  readonly notifierId: string;
  readonly delayMin: number;
}

export const noTargets: Targets = { notifications: [], secrets: {} };

/**
 * Reads the notifications of a body. One that names a notifier of `before` keeps the secrets that it does not give
 * anew, or sends back masked; every other one gets a notifier of its own.
 */
export async function readTargets(
  tx: Tx,
  groupId: string,
  given: readonly Notification[],
  before: Targets,
): Promise<Targets> {
  checkList(given);
  const notifications: StoredNotification[] = [];
  const secrets: Record<string, Readonly<Record<string, string>>> = {};
  for (const [place, notification] of given.entries()) {
    const path = `notifications.${place}`;
    checkNotification(notification, path);
    const integration = await integrationFor(tx, groupId, notification);
    // Of two that name the same notifier, the second is a copy: it needs secrets and a rhythm of its own.
    const former = formerOf(notification, before, secrets);
    const notifierId = former?.notifierId ?? tx.id();
    const own = secretsOf(notification, before.secrets[former?.notifierId ?? ''] ?? {}, path, integration);
    secrets[notifierId] = own;
    notifications.push({
      ...stored(notification, notifierId),
      ...(integration && { integrationId: integration.id }),
      ...(await targetOf(tx, groupId, notification)),
      ...shownSecrets(notification, own),
    });
  }
  return { notifications, secrets };
}

/**
 * The integration whose credentials a notification takes: the one that it names, or for a webhook without an address
 * that of the project. Throws where the project has none of its kind by that id.
 */
async function integrationFor(
  tx: ReadTx,
  groupId: string,
  { typeName, integrationId, webhookUrl }: Notification,
): Promise<IntegrationRow | undefined> {
  const isNamed = integrationId !== undefined;
  if (!isNamed && (typeName !== 'WEBHOOK' || webhookUrl !== undefined)) return undefined;
  const found = (await integrationsOf(tx, groupId)).find(({ type }) => type === typeName);
  if (isNamed && found?.id !== integrationId) throw notificationFaults.INTEGRATION_NOT_CONFIGURED(typeName);
  return found;
}

/** The stored notification that one in a body stands for; each of another kind is a new one. */
function formerOf({ notifierId, typeName }: Notification, { notifications }: Targets, taken: Secrets) {
  const former = notifications.find((each) => each.notifierId === notifierId && each.typeName === typeName);
  return former && Object.hasOwn(taken, former.notifierId) ? undefined : former;
}

function stored(notification: Notification, notifierId: string): StoredNotification {
  const { delayMin = 0, intervalMin = DEFAULT_INTERVAL } = notification;
  const common = { ...notification, delayMin, notifierId };
  return notificationKinds[notification.typeName].repeatsItself ? common : { ...common, intervalMin };
}

/** The secrets that a body gives, over those that were kept; `elsewhere`: what may have those that are in neither. */
export function secretsOf(
  notification: Notification,
  kept: Readonly<Record<string, string>>,
  path: string,
  elsewhere?: object,
): Record<string, string> {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const kind = notificationKinds[notification.typeName];
  const secrets: Record<string, string> = {};
  for (const [name, form] of secretFields(kind)) {
    const value = notification[name];
    const former = kept[name];
    const isGiven = typeof value === 'string' && !(former !== undefined && isMaskOf(form, former, value));
    const secret = isGiven ? value : former;
    if (secret !== undefined) {
      if (isGiven) checkSecret(name, secret, at(name));
      secrets[name] = secret;
    } else if (kind.required.includes(name) && elsewhere === undefined)
      throw generalFaults.MISSING_ATTRIBUTE(at(name));
  }
  return secrets;
}

/** What is shown of secrets, by field. */
export function shownSecrets({ typeName }: Notification, secrets: Readonly<Record<string, string>>) {
  const fields = secretFields(notificationKinds[typeName]);
  return Object.fromEntries(
    fields.flatMap(([name, form]) => {
      const secret = secrets[name];
      return secret === undefined ? [] : [[name, maskedSecret(form, secret)]];
    }),
  );
}
