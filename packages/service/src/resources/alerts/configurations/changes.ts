import { isDeepStrictEqual } from 'node:util';
import type { SecretBox } from '@portolan/foundation/secret-box';
import type { Actor } from '../../../events/index.ts';
import { addCount, type Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { cancelAlertsOf, followTargets } from '../lifecycle/changes.ts';
import { noTargets, readTargets, type Targets } from '../notifications/read.ts';
import {
  type ConfigurationRow,
  deleteConfiguration,
  insertConfigurations,
  updateConfiguration,
} from './rows.ts';
import { checkRoom, configurationCount, readCondition } from './rules.ts';
import type { AlertConfiguration } from './schema.ts';
import { sealSecrets, targetsOf } from './secrets.ts';

/** What changes need to know beside the store. */
export interface Making {
  readonly actor: Actor;
  readonly secrets: SecretBox;
  /** The types of events that there are. */
  readonly eventTypes: Readonly<Record<string, unknown>>;
}

export async function addConfiguration(
  tx: Tx,
  groupId: string,
  body: AlertConfiguration,
  making: Making,
): Promise<ConfigurationRow> {
  await checkRoom(tx, groupId);
  const place = { id: tx.id(), groupId, created: tx.now };
  const row = await readRow(tx, place, body, noTargets, making);
  await insertConfigurations(tx, [row]);
  await addCount(tx, configurationCount, groupId, 1);
  await record(tx, 'ADDED', row, making.actor);
  return row;
}

/** Puts another configuration into the place of one; what the body does not name is as in a new one. */
export async function replaceConfiguration(
  tx: Tx,
  before: ConfigurationRow,
  body: AlertConfiguration,
  making: Making,
): Promise<ConfigurationRow> {
  const row = await readRow(tx, before, body, targetsOf(before, making.secrets), making);
  await updateConfiguration(tx, row);
  await record(tx, 'CHANGED', row, making.actor);
  if (row.enabled && isSameCondition(before, row)) await followTargets(tx, before, row);
  else await cancelAlertsOf(tx, before);
  return row;
}

/** Whether alerts of the one are alerts of the other. */
function isSameCondition(before: ConfigurationRow, after: ConfigurationRow): boolean {
  const conditionOf = ({ eventType, document: { notifications: _, ...condition } }: ConfigurationRow) => ({
    eventType,
    ...condition,
  });
  return isDeepStrictEqual(conditionOf(before), conditionOf(after));
}

export async function toggleConfiguration(
  tx: Tx,
  before: ConfigurationRow,
  enabled: boolean,
  actor: Actor,
): Promise<ConfigurationRow> {
  if (before.enabled === enabled) return before;
  const row = { ...before, enabled, updated: tx.now };
  await updateConfiguration(tx, row);
  await record(tx, enabled ? 'ENABLED' : 'DISABLED', row, actor);
  if (!enabled) await cancelAlertsOf(tx, before);
  return row;
}

export async function removeConfiguration(tx: Tx, row: ConfigurationRow, actor: Actor): Promise<void> {
  await deleteConfiguration(tx, row.id);
  await addCount(tx, configurationCount, row.groupId, -1);
  await record(tx, 'DELETED', row, actor);
  await cancelAlertsOf(tx, row);
}

async function readRow(
  tx: Tx,
  { id, groupId, created }: Pick<ConfigurationRow, 'id' | 'groupId' | 'created'>,
  body: AlertConfiguration,
  before: Targets,
  { secrets, eventTypes }: Making,
): Promise<ConfigurationRow> {
  const condition = readCondition(body, eventTypes);
  const targets = await readTargets(tx, groupId, body.notifications, before);
  return {
    id,
    groupId,
    created,
    updated: tx.now,
    enabled: body.enabled ?? false,
    eventType: body.eventTypeName,
    document: { ...condition, notifications: targets.notifications },
    secrets: sealSecrets(secrets, id, targets.secrets),
  };
}

type Change = 'ADDED' | 'CHANGED' | 'DELETED' | 'ENABLED' | 'DISABLED';

function record(tx: Tx, what: Change, { id, groupId }: ConfigurationRow, actor: Actor): Promise<void> {
  return recordInProject(tx, groupId, {
    type: `ALERT_CONFIG_${what}_AUDIT`,
    actor,
    details: { alertConfigId: id },
  });
}
