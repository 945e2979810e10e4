import { isDeepStrictEqual } from 'node:util';
import { subscribe } from '../../../store/index.ts';
import type { ConfigurationRow } from '../configurations/rows.ts';
import { configurationChanged } from '../configurations/topics.ts';
import { cancelAlertsOf, followTargets } from './changes.ts';

/**
 * When a configuration changes, cancels its alerts if the configuration was disabled or deleted, or if its condition
 * changed. Otherwise, schedules added notifications.
 */
export const followConfiguration = subscribe(configurationChanged, async (tx, { before, after }) => {
  if (after?.enabled && isSameCondition(before, after)) await followTargets(tx, before, after);
  else await cancelAlertsOf(tx, before);
});

/** Whether both configurations have the same condition, so that alerts of one remain valid for the other. */
function isSameCondition(before: ConfigurationRow, after: ConfigurationRow): boolean {
  const conditionOf = ({ eventType, document: { notifications: _, ...condition } }: ConfigurationRow) => ({
    eventType,
    ...condition,
  });
  return isDeepStrictEqual(conditionOf(before), conditionOf(after));
}
