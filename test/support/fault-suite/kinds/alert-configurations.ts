import { listAll } from '../list-all.ts';
import type { ResourceKind } from './kind.ts';

interface AlertConfigurationDocument {
  readonly id: string;
  readonly notifications: readonly { readonly emailAddress?: string; readonly intervalMin?: number }[];
}

/** Returns a configuration for an event that does not occur in this test, so that nothing is sent. */
const bodyOf = (name: string, intervalMin: string) => ({
  eventTypeName: 'JOINED_GROUP',
  enabled: true,
  notifications: [
    { typeName: 'EMAIL', emailAddress: `${name}@example.org`, intervalMin: Number(intervalMin) },
  ],
});

/**
 * Alert configurations. The value of a configuration is the interval of its notification. The e-mail address contains
 * the name.
 */
export const alertConfigurations: ResourceKind = {
  name: 'alert-configuration',
  values: ['5', '10', '60'],
  isAddressedById: true,
  events: {
    created: 'ALERT_CONFIG_ADDED_AUDIT',
    changed: 'ALERT_CONFIG_CHANGED_AUDIT',
    deleted: 'ALERT_CONFIG_DELETED_AUDIT',
    resourceField: 'alertConfigId',
    recordsNoOps: true,
  },
  create: ({ project }, name, value) => ({
    method: 'POST',
    path: `${project}/alertConfigs`,
    body: bodyOf(name, value),
  }),
  change: ({ project }, id, value, name) => ({
    method: 'PUT',
    path: `${project}/alertConfigs/${id}`,
    body: bodyOf(name, value),
  }),
  delete: ({ project }, id) => ({ method: 'DELETE', path: `${project}/alertConfigs/${id}` }),
  async list(client, { project }) {
    const all = await listAll<AlertConfigurationDocument>(client, `${project}/alertConfigs`);
    return all.map(({ id, notifications: [first] }) => ({
      id,
      name: first?.emailAddress?.replace('@example.org', '') ?? id,
      value: String(first?.intervalMin ?? ''),
    }));
  },
};
