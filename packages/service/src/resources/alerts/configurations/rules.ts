import type { PlainObject } from '@portolan/foundation/plain-object';
import { generalFaults } from '../../../api/faults.ts';
import { counter, countOf, type ReadTx } from '../../../store/index.ts';
import { eventKindOf } from '../catalogue/event-kinds.ts';
import { configurationFaults } from './faults.ts';
import { checkMatchers } from './matchers.ts';
import { type ConfigurationRow, findConfiguration } from './rows.ts';
import type { AlertConfiguration } from './schema.ts';
import { readThresholds } from './thresholds.ts';

export const configurationCount = counter('group', 'alert-configurations');

/**
 * Maximum number of configurations of a project. It is limited because the service evaluates all configurations at
 * short intervals.
 */
const MAX_CONFIGURATIONS = 2000;

/** Returns the configuration that a path names. Throws ALERT_CONFIG_NOT_FOUND. */
export async function requireConfiguration(
  tx: ReadTx,
  { groupId, alertConfigId }: { readonly groupId: string; readonly alertConfigId: string },
): Promise<ConfigurationRow> {
  const row = await findConfiguration(tx, groupId, alertConfigId);
  if (!row) throw configurationFaults.ALERT_CONFIG_NOT_FOUND(alertConfigId, groupId);
  return row;
}

/** Throws if a project already has the maximum number of configurations. */
export async function checkLimit(tx: ReadTx, groupId: string): Promise<void> {
  if ((await countOf(tx, configurationCount, groupId)) >= MAX_CONFIGURATIONS)
    throw configurationFaults.MAX_ALERT_CONFIGS_PER_GROUP_EXCEEDED(MAX_CONFIGURATIONS);
}

/** Reads the condition of a configuration. `known` are all declared event types. */
export function readCondition(body: AlertConfiguration, known: PlainObject) {
  const { eventTypeName, matchers = [], severityOverride } = body;
  if (eventKindOf(eventTypeName) === undefined) {
    if (Object.hasOwn(known, eventTypeName))
      throw configurationFaults.INVALID_EVENT_TYPE_FOR_ALERT(eventTypeName);
    throw generalFaults.INVALID_ENUM_VALUE(eventTypeName).at('eventTypeName');
  }
  checkMatchers(eventTypeName, matchers);
  return {
    matchers,
    ...readThresholds(eventTypeName, body),
    ...(severityOverride === undefined ? {} : { severityOverride }),
  };
}
