import { generalFaults } from '../../../api/faults.ts';
import { Choice } from '../../../api/fields.ts';
import { countOf } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { matcherFieldNames } from '../catalogue/event-kinds.ts';
import {
  addConfiguration,
  removeConfiguration,
  replaceConfiguration,
  toggleConfiguration,
} from './changes.ts';
import { presentConfiguration } from './present.ts';
import { pageOfConfigurations } from './rows.ts';
import { configurationCount, requireConfiguration } from './rules.ts';
import { AlertConfiguration, AlertsToggle } from './schema.ts';

export const listMatcherFieldNames = operation({
  id: 'listAlertConfigurationMatchersFieldNames',
  tag: 'Alert Configurations',
  method: 'GET',
  path: '/alertConfigs/matchers/fieldNames',
  summary: 'Lists the field names that matchers of alert configurations can use.',
  access: 'any caller',
  reply: Choice(matcherFieldNames),
  list: 'array',
  status: 200,
  sameForAll: true,
  reachedFrom: { root: 'alertMatcherFieldNames' },
  handler: async () => matcherFieldNames,
});

export const listConfigurations = operation({
  id: 'listAlertConfigurations',
  tag: 'Alert Configurations',
  method: 'GET',
  path: '/groups/{groupId}/alertConfigs',
  summary: 'Lists the alert configurations of a project, oldest first.',
  access: 'Project Read Only',
  reply: AlertConfiguration,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'alertConfigs' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId } = call.params;
      const { rows, next } = await pageOfConfigurations(tx, groupId, call.page);
      const totalCount = call.page.includeCount ? await countOf(tx, configurationCount, groupId) : undefined;
      return { results: rows.map(presentConfiguration), next, totalCount };
    }),
});

export const createConfiguration = operation({
  id: 'createAlertConfiguration',
  tag: 'Alert Configurations',
  method: 'POST',
  path: '/groups/{groupId}/alertConfigs',
  summary: 'Creates an alert configuration.',
  access: 'Project Owner',
  body: AlertConfiguration,
  reply: AlertConfiguration,
  status: 201,
  handler(call) {
    const { groupId } = call.params;
    const context = { actor: call.actor, ...call.services };
    return call.write(async (tx) =>
      presentConfiguration(await addConfiguration(tx, groupId, call.body, context)),
    );
  },
});

export const getConfiguration = operation({
  id: 'getAlertConfiguration',
  tag: 'Alert Configurations',
  method: 'GET',
  path: '/groups/{groupId}/alertConfigs/{alertConfigId}',
  summary: 'Returns one alert configuration.',
  access: 'Project Read Only',
  reply: AlertConfiguration,
  status: 200,
  reachedFrom: { alert: 'alertConfig' },
  handler: (call) =>
    call.read(async (tx) => presentConfiguration(await requireConfiguration(tx, call.params))),
});

export const updateConfiguration = operation({
  id: 'updateAlertConfiguration',
  tag: 'Alert Configurations',
  method: 'PUT',
  path: '/groups/{groupId}/alertConfigs/{alertConfigId}',
  summary: 'Replaces an alert configuration; omitted fields get their defaults.',
  access: 'Project Owner',
  body: AlertConfiguration,
  reply: AlertConfiguration,
  status: 200,
  handler(call) {
    const context = { actor: call.actor, ...call.services };
    return call.write(async (tx) => {
      const before = await requireConfiguration(tx, call.params);
      return presentConfiguration(await replaceConfiguration(tx, before, call.body, context));
    });
  },
});

export const toggleConfigurationOperation = operation({
  id: 'toggleAlertConfiguration',
  tag: 'Alert Configurations',
  method: 'PATCH',
  path: '/groups/{groupId}/alertConfigs/{alertConfigId}',
  summary: 'Enables or disables an alert configuration.',
  access: 'Project Owner',
  body: AlertsToggle,
  reply: AlertConfiguration,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { enabled } = call.body;
      if (enabled === undefined) throw generalFaults.MISSING_ATTRIBUTE('enabled');
      const before = await requireConfiguration(tx, call.params);
      return presentConfiguration(await toggleConfiguration(tx, before, enabled, call.actor));
    }),
});

export const deleteConfiguration = operation({
  id: 'deleteAlertConfiguration',
  tag: 'Alert Configurations',
  method: 'DELETE',
  path: '/groups/{groupId}/alertConfigs/{alertConfigId}',
  summary: 'Deletes an alert configuration and cancels its alerts.',
  access: 'Project Owner',
  status: 204,
  handler: (call) =>
    call.write(async (tx) =>
      removeConfiguration(tx, await requireConfiguration(tx, call.params), call.actor),
    ),
});
