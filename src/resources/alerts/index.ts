import { ID_PATTERN } from '../../runtime/ids.ts';
import { subscribe } from '../../store/index.ts';
import { type Family, operationsIn } from '../family.ts';
import { projectMade } from '../projects/index.ts';
import { alertableEvents } from './catalogue/event-kinds.ts';
import { addDefaults } from './configurations/defaults.ts';
import * as configurations from './configurations/operations.ts';
import { configurationFaults } from './configurations/rules.ts';
import { thresholdFaults } from './configurations/thresholds.ts';
import { migrations } from './migrations.ts';
import { notificationFaults } from './notifications/rules.ts';

const quiet = (description: string) => ({ description, alertable: false });

/** What configurations can be about, whether a family causes it yet or not. */
const alertable = Object.fromEntries(
  Object.entries(alertableEvents).map(([name, description]) => [name, { description, alertable: true }]),
);

export const family: Family = {
  name: 'alerts',
  operations: operationsIn(configurations),
  parameters: {
    alertConfigId: {
      description: 'The alert configuration.',
      pattern: ID_PATTERN,
      malformed: configurationFaults.INVALID_ALERT_CONFIG_ID,
    },
  },
  migrations,
  eventTypes: {
    ...alertable,
    ALERT_CONFIG_ADDED_AUDIT: quiet('Alert configuration was added'),
    ALERT_CONFIG_CHANGED_AUDIT: quiet('Alert configuration was changed'),
    ALERT_CONFIG_DELETED_AUDIT: quiet('Alert configuration was deleted'),
    ALERT_CONFIG_DISABLED_AUDIT: quiet('Alert configuration was disabled'),
    ALERT_CONFIG_ENABLED_AUDIT: quiet('Alert configuration was enabled'),
  },
  hooks: [
    subscribe(projectMade, async (tx, { groupId, withDefaultAlerts }) => {
      if (withDefaultAlerts) await addDefaults(tx, groupId);
    }),
  ],
  faults: [configurationFaults, notificationFaults, thresholdFaults],
};
