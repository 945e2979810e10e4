import { groupRoles, orgRoles } from '../../../access/index.ts';
import { badValue, generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { findUserNamed } from '../../accounts/index.ts';
import { findProject } from '../../projects/index.ts';
import { membersOfProject, requireTeam } from '../../users/index.ts';
import { notificationFaults } from './faults.ts';
import { type Notification, notificationKinds } from './kinds.ts';
import { maskedSecret } from './secrets.ts';

/** Maximum number of notifications of a configuration. */
const MAX_NOTIFICATIONS = 50;

/** The minimum and the default interval in minutes (docs/contract/access.md 8.2). */
const MIN_INTERVAL = 5;
export const DEFAULT_INTERVAL = 60;

/** Throws for a list that is empty, too long, or has more than one GROUP or ORG notification. */
export function checkList(notifications: readonly Notification[]): void {
  if (notifications.length === 0) throw notificationFaults.MISSING_NOTIFICATIONS().at('notifications');
  if (notifications.length > MAX_NOTIFICATIONS)
    throw notificationFaults.MAX_NOTIFICATIONS_PER_ALERT_EXCEEDED(MAX_NOTIFICATIONS);
  const count = (name: string) => notifications.filter(({ typeName }) => typeName === name).length;
  if (count('GROUP') > 1) throw notificationFaults.TOO_MANY_GROUP_NOTIFICATIONS();
  if (count('ORG') > 1) throw notificationFaults.TOO_MANY_ORG_NOTIFICATIONS();
}

/**
 * Throws if a single notification is invalid. `path` is the path of the notification in the body, such as
 * `notifications.0`.
 */
export function checkNotification(notification: Notification, path: string): void {
  const { typeName, intervalMin } = notification;
  if (intervalMin !== undefined && intervalMin < MIN_INTERVAL)
    throw notificationFaults.NOTIFICATION_INTERVAL_OUT_OF_RANGE(intervalMin).at(`${path}.intervalMin`);
  const { fields, required, secrets = {} } = notificationKinds[typeName];
  for (const name of required) {
    if (notification[name] === undefined && !Object.hasOwn(secrets, name))
      throw missing(name, `${path}.${name}`);
  }
  if ('emailEnabled' in fields) checkPeople(notification, path);
}

/** Returns the fault for a required field without a value. */
export function missing(name: string, path: string) {
  if (name === 'webhookUrl') return notificationFaults.WEBHOOK_URL_NOT_SET().at(path);
  return generalFaults.MISSING_ATTRIBUTE(path);
}

function checkPeople(notification: Notification, path: string): void {
  const { typeName, emailEnabled, smsEnabled, roles } = notification;
  if (emailEnabled !== true && smsEnabled !== true)
    throw typeName === 'USER'
      ? notificationFaults.EMAIL_OR_SMS_REQUIRED_FOR_USER_NOTIFICATION().at(path)
      : notificationFaults.EMAIL_OR_SMS_REQUIRED_FOR_GROUP_NOTIFICATION().at(path);
  if (!Array.isArray(roles)) return;
  if (roles.length === 0) throw notificationFaults.MISSING_ROLES_FOR_GROUP_NOTIFICATION().at(`${path}.roles`);
  const allowed: readonly string[] = typeName === 'ORG' ? orgRoles : groupRoles;
  for (const role of roles) {
    if (!allowed.includes(role)) throw generalFaults.INVALID_ENUM_VALUE(role).at(`${path}.roles`);
  }
}

const KEY = /^[0-9a-fA-F]{32}$/;

/** Throws for a secret that its service would reject, and for a masked secret. */
export function checkSecret(name: string, value: string, path: string): void {
  if (name === 'monitoringApiKey' && !KEY.test(value))
    throw notificationFaults.INVALID_DATADOG_API_KEY().at(path);
  if (name === 'serviceKey' && !KEY.test(value))
    throw notificationFaults.INVALID_PAGER_DUTY_SERVICE_KEY().at(path);
  if (name === 'webhookUrl' || name === 'microsoftTeamsWebhookUrl') checkAddress(value, path);
  else if (value.includes('**')) throw badValue(path, 'is masked, but there is no stored secret for it');
}

function checkAddress(value: string, path: string): void {
  const { protocol = '', username, password } = URL.canParse(value) ? new URL(value) : {};
  const isClear = !username && !password && !value.includes('****');
  // The path of the URL may be a secret, so the error shows the masked URL.
  if (!isClear || (protocol !== 'https:' && protocol !== 'http:'))
    throw generalFaults.INVALID_URL(maskedSecret('address', value)).at(path);
}

/** Checks that the team or user of a notification exists, and returns derived fields. */
export async function targetOf(
  tx: ReadTx,
  groupId: string,
  { typeName, teamId, username }: Notification,
): Promise<Partial<Notification>> {
  const project = await findProject(tx, groupId);
  const orgId = project?.orgId ?? '';
  if (typeName === 'TEAM') {
    const { name } = await requireTeam(tx, { orgId, teamId: String(teamId) });
    return { teamName: name };
  }
  if (typeName === 'USER') await checkUser(tx, { orgId, groupId }, String(username));
  return {};
}

async function checkUser(
  tx: ReadTx,
  at: { readonly orgId: string; readonly groupId: string },
  username: string,
): Promise<void> {
  const user = await findUserNamed(tx, username);
  if (!user) throw notificationFaults.BAD_USERNAME_REF(username);
  const everybody = { flattenTeams: true, includeOrgUsers: true };
  const { members } = await membersOfProject(tx, at, everybody);
  if (!members.some(({ userId }) => userId === user.id))
    throw notificationFaults.BAD_USERNAME_IN_GROUP_REF(username, at.groupId);
}
