import type { PlainObject } from '@portolan/foundation/plain-object';
import type { SecretBox } from '@portolan/foundation/secret-box';
import type { Actor } from '../../../events/index.ts';
import { addCount, type Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { integrationsOf } from '../integrations/rows.ts';
import { noTargets, readTargets, type Targets } from '../notifications/read.ts';
import {
  type ConfigurationRow,
  deleteConfiguration,
  insertConfigurations,
  updateConfiguration,
  weightOfOthers,
} from './rows.ts';
import { checkLimit, configurationCount, readCondition } from './rules.ts';
import type { AlertConfiguration } from './schema.ts';
import { sealSecrets, targetsOf } from './secrets.ts';
import { configurationChanged } from './topics.ts';
import { checkWeight, weightOf } from './weight.ts';

/** The arguments of every change in addition to the transaction. */
export interface ChangeContext {
  readonly actor: Actor;
  readonly secrets: SecretBox;
  /** All declared event types. */
  readonly eventTypes: PlainObject;
}

export async function addConfiguration(
  tx: Tx,
  groupId: string,
  body: AlertConfiguration,
  context: ChangeContext,
): Promise<ConfigurationRow> {
  await checkLimit(tx, groupId);
  const place = { id: tx.id(), groupId, created: tx.now, weight: 0 };
  const row = await readRow(tx, place, body, noTargets, context);
  await insertConfigurations(tx, [row]);
  await addCount(tx, configurationCount, groupId, 1);
  await record(tx, 'ADDED', row, context.actor);
  return row;
}

/** Replaces a configuration. Fields that the body omits get the same defaults as in a new configuration. */
export async function replaceConfiguration(
  tx: Tx,
  before: ConfigurationRow,
  body: AlertConfiguration,
  context: ChangeContext,
): Promise<ConfigurationRow> {
  const row = await readRow(tx, before, body, targetsOf(before, context.secrets), context);
  await updateConfiguration(tx, row);
  await record(tx, 'CHANGED', row, context.actor);
  await tx.publish(configurationChanged, { before, after: row });
  return row;
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
  await tx.publish(configurationChanged, { before, after: row });
  return row;
}

export async function removeConfiguration(tx: Tx, row: ConfigurationRow, actor: Actor): Promise<void> {
  await deleteConfiguration(tx, row.id);
  await addCount(tx, configurationCount, row.groupId, -1);
  await record(tx, 'DELETED', row, actor);
  await tx.publish(configurationChanged, { before: row, after: undefined });
}

async function readRow(
  tx: Tx,
  { id, groupId, created, weight: former }: Pick<ConfigurationRow, 'created' | 'groupId' | 'id' | 'weight'>,
  body: AlertConfiguration,
  before: Targets,
  { secrets, eventTypes }: ChangeContext,
): Promise<ConfigurationRow> {
  const condition = readCondition(body, eventTypes);
  const integrations = await integrationsOf(tx, groupId);
  const targets = await readTargets(tx, { groupId, integrations }, body.notifications, before);
  const content = {
    document: { ...condition, notifications: targets.notifications },
    secrets: sealSecrets(secrets, id, targets.secrets),
  };
  const weight = weightOf(content);
  checkWeight(weight, { former, others: await weightOfOthers(tx, { id, groupId }) });
  const enabled = body.enabled ?? false;
  const eventType = body.eventTypeName;
  return { id, groupId, created, updated: tx.now, enabled, eventType, ...content, weight };
}

type Change = 'ADDED' | 'CHANGED' | 'DELETED' | 'ENABLED' | 'DISABLED';

function record(tx: Tx, what: Change, { id, groupId }: ConfigurationRow, actor: Actor): Promise<void> {
  return recordInProject(tx, groupId, {
    type: `ALERT_CONFIG_${what}_AUDIT`,
    actor,
    details: { alertConfigId: id },
  });
}
