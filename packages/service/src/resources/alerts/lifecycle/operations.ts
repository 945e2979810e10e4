import Type from 'typebox';
import type { ReadTx } from '../../../store/index.ts';
import { findProject } from '../../projects/index.ts';
import { operation } from '../../services.ts';
import { presentConfiguration } from '../configurations/present.ts';
import { findConfiguration } from '../configurations/rows.ts';
import { requireConfiguration } from '../configurations/rules.ts';
import { AlertConfiguration } from '../configurations/schema.ts';
import { presentAlert } from '../model/present.ts';
import { type AlertRow, countOfOpenAlerts, pageOfAlerts, pageOfOpenAlerts } from '../model/rows.ts';
import {
  Acknowledgement,
  Alert,
  type AlertStatus,
  alertStatuses,
  FormerAcknowledgement,
} from '../model/schema.ts';
import { acknowledgeAlert } from './acknowledge.ts';
import { alertFaults } from './faults.ts';
import { countOfAlerts, requireAlert } from './rules.ts';

async function presented(tx: ReadTx, row: AlertRow) {
  const project = await findProject(tx, row.groupId);
  const configuration = await findConfiguration(tx, row.groupId, row.configurationId);
  return { ...presentAlert(row, project?.orgId ?? ''), ...(configuration ? {} : { isOrphan: true }) };
}

export const listAlerts = operation({
  id: 'listAlerts',
  tag: 'Alerts',
  method: 'GET',
  path: '/groups/{groupId}/alerts',
  summary: 'Lists the alerts of a project, oldest first.',
  access: 'Project Read Only',
  query: Type.Object({
    status: Type.Optional(
      Type.String({
        description: `Status of the alerts to return: ${alertStatuses.join(', ')}. By default, returns all alerts.`,
      }),
    ),
  }),
  reply: Alert,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'alerts' },
  handler(call) {
    const { groupId } = call.params;
    const status = readStatus(call.query.status);
    return call.read(async (tx) => {
      const { rows, next } = await pageOfAlerts(tx, groupId, status, call.page);
      const totalCount = call.page.includeCount ? await countOfAlerts(tx, groupId, status) : undefined;
      const orgId = (await findProject(tx, groupId))?.orgId ?? '';
      return { results: rows.map((row) => presentAlert(row, orgId)), next, totalCount };
    });
  },
});

function readStatus(text: string | undefined): AlertStatus | undefined {
  const status = alertStatuses.find((each) => each === text);
  if (text !== undefined && status === undefined) throw alertFaults.INVALID_ALERT_STATUS(text);
  return status;
}

export const listAlertsOfConfiguration = operation({
  id: 'listAlertsByAlertConfigurationId',
  tag: 'Alerts',
  method: 'GET',
  path: '/groups/{groupId}/alertConfigs/{alertConfigId}/alerts',
  summary: 'Lists the open alerts of a configuration, oldest first.',
  access: 'Project Read Only',
  reply: Alert,
  list: 'page',
  status: 200,
  reachedFrom: { alertConfiguration: 'alerts' },
  handler: (call) =>
    call.read(async (tx) => {
      const { id } = await requireConfiguration(tx, call.params);
      const { rows, next } = await pageOfOpenAlerts(tx, id, call.page);
      const totalCount = call.page.includeCount ? await countOfOpenAlerts(tx, id) : undefined;
      const orgId = (await findProject(tx, call.params.groupId))?.orgId ?? '';
      return { results: rows.map((row) => presentAlert(row, orgId)), next, totalCount };
    }),
});

export const getAlert = operation({
  id: 'getAlert',
  tag: 'Alerts',
  method: 'GET',
  path: '/groups/{groupId}/alerts/{alertId}',
  summary: 'Returns one alert.',
  access: 'Project Read Only',
  reply: Alert,
  status: 200,
  handler: (call) => call.read(async (tx) => presented(tx, await requireAlert(tx, call.params))),
});

export const acknowledge = operation({
  id: 'acknowledgeAlert',
  tag: 'Alerts',
  method: 'PATCH',
  path: '/groups/{groupId}/alerts/{alertId}',
  summary:
    'Acknowledges an alert, so that its notifications are not repeated, or withdraws the acknowledgement.',
  access: 'Project Owner',
  body: Acknowledgement,
  reply: Alert,
  status: 200,
  versions: {
    '2023-01-01': {
      body: FormerAcknowledgement,
      read: (body: Acknowledgement) =>
        body.acknowledgedUntil === undefined ? { unacknowledgeAlert: true } : body,
    },
    '2024-05-30': 'same',
    '2025-03-12': 'same',
  },
  handler: (call) =>
    call.write(async (tx) =>
      presented(tx, await acknowledgeAlert(tx, await requireAlert(tx, call.params), call.body, call.actor)),
    ),
});

export const listConfigurationsOfAlert = operation({
  id: 'listAlertConfigurationsByAlertId',
  tag: 'Alert Configurations',
  method: 'GET',
  path: '/groups/{groupId}/alerts/{alertId}/alertConfigs',
  summary:
    'Lists the alert configuration that opened an alert. The list is empty if the configuration was deleted.',
  access: 'Project Read Only',
  reply: AlertConfiguration,
  list: 'page',
  status: 200,
  reachedFrom: { alert: 'alertConfigs' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, configurationId } = await requireAlert(tx, call.params);
      const row = await findConfiguration(tx, groupId, configurationId);
      const results = row && call.page.pageNum === 1 ? [presentConfiguration(row)] : [];
      return { results, totalCount: row ? 1 : 0 };
    }),
});
