import { ID_PATTERN } from '@portolan/foundation/ids';
import { on } from '../../events/index.ts';
import { subscribe } from '../../store/index.ts';
import { clusterRemoved } from '../clusters/index.ts';
import { type Family, operationsIn } from '../family.ts';
import { windowSet } from '../maintenance/index.ts';
import { projectCreated } from '../projects/index.ts';
import * as invoices from './billing/invoices.ts';
import * as billing from './billing/operations.ts';
import { endingEvents, endings } from './catalogue/endings.ts';
import { alertableEvents } from './catalogue/event-kinds.ts';
import { ownEvents } from './catalogue/own-events.ts';
import { addDefaults, addMaintenanceDefaults } from './configurations/defaults.ts';
import * as eventTypes from './configurations/event-types.ts';
import { configurationFaults, thresholdFaults } from './configurations/faults.ts';
import * as configurations from './configurations/operations.ts';
import * as inbox from './inbox/operations.ts';
import { integrationFaults } from './integrations/faults.ts';
import * as integrations from './integrations/operations.ts';
import { endAlertsOfCluster, notifyOnEvent } from './lifecycle/changes.ts';
import { alertFaults } from './lifecycle/faults.ts';
import { followConfiguration } from './lifecycle/hooks.ts';
import * as alerts from './lifecycle/operations.ts';
import { deleteHourly, deleteOld } from './lifecycle/retention.ts';
import { notifyOnce, notifyOnSchedule } from './lifecycle/tasks.ts';
import { migrations } from './migrations.ts';
import { notificationFaults } from './notifications/faults.ts';
import { forgetElections } from './sources/rows.ts';
import { watchClusters } from './sources/watch.ts';
import { watchStates } from './sources/watch-states.ts';

export { isAlertable } from './catalogue/event-kinds.ts';

export const family: Family = {
  name: 'alerts',
  operations: operationsIn(configurations, eventTypes, alerts, inbox, integrations, billing, invoices),
  parameters: {
    alertId: {
      description: 'Id of the alert.',
      pattern: ID_PATTERN,
      malformed: alertFaults.INVALID_ALERT_ID,
    },
    invoiceId: { description: 'Id of the invoice.', pattern: ID_PATTERN },
    integrationType: { description: 'Type of the third-party service, such as `SLACK`.' },
    alertConfigId: {
      description: 'Id of the alert configuration.',
      pattern: ID_PATTERN,
      malformed: configurationFaults.INVALID_ALERT_CONFIG_ID,
    },
  },
  migrations,
  eventTypes: {
    ...ownEvents,
    ...endingEvents,
    ALERT_ACKNOWLEDGED_AUDIT: 'Alert was acknowledged',
    ALERT_NOTIFICATION_FAILED: 'Notification of an alert could not be delivered',
    ALERT_UNACKNOWLEDGED_AUDIT: 'Acknowledgement of an alert was withdrawn',
    ALERT_CONFIG_ADDED_AUDIT: 'Alert configuration was added',
    ALERT_CONFIG_CHANGED_AUDIT: 'Alert configuration was changed',
    ALERT_CONFIG_DELETED_AUDIT: 'Alert configuration was deleted',
    ALERT_CONFIG_DISABLED_AUDIT: 'Alert configuration was disabled',
    ALERT_CONFIG_ENABLED_AUDIT: 'Alert configuration was enabled',
    INTEGRATION_CONFIGURED: 'Integration was configured',
    INTEGRATION_REMOVED: 'Integration was removed',
  },
  tasks: [notifyOnSchedule, notifyOnce, deleteOld],
  timetable: [deleteHourly],
  background: [watchClusters, watchStates],
  // Notify about one-time events when they are recorded. Alerts about states need no subscriptions, because the
  // service observes the targets.
  subscriptions: [
    on(
      alertableEvents.filter((name) => !Object.hasOwn(endings, name)),
      notifyOnEvent,
    ),
    on(['CLUSTER_TAGS_MODIFIED', 'GROUP_TAGS_MODIFIED'], (tx, event) =>
      notifyOnEvent(tx, { ...event, type: 'TAGS_MODIFIED' }),
    ),
  ],
  hooks: [
    followConfiguration,
    subscribe(clusterRemoved, async (tx, { cluster }) => {
      await endAlertsOfCluster(tx, cluster.id);
      await forgetElections(tx, cluster.id);
    }),
    subscribe(projectCreated, async (tx, { groupId, withDefaultAlerts }) => {
      if (withDefaultAlerts) await addDefaults(tx, groupId);
    }),
    subscribe(windowSet, (tx, { groupId }) => addMaintenanceDefaults(tx, groupId)),
  ],
  faults: [alertFaults, configurationFaults, integrationFaults, notificationFaults, thresholdFaults],
};
