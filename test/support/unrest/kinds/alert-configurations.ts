import { allOf } from '../all-of.ts';
import type { Kind } from './kind.ts';

interface Shown {
  readonly id: string;
  readonly notifications: readonly { readonly emailAddress?: string; readonly intervalMin?: number }[];
}

/** For an event that does not occur in this test, so that nothing is sent. */
const bodyOf = (name: string, intervalMin: string) => ({
  eventTypeName: 'JOINED_GROUP',
  enabled: true,
  notifications: [
    { typeName: 'EMAIL', emailAddress: `${name}@example.org`, intervalMin: Number(intervalMin) },
  ],
});

/** The e-mail address contains the name; the value is the interval. */
export const alertConfigurations: Kind = {
  name: 'alert-configuration',
  values: ['5', '10', '60'],
  isKnownById: true,
  events: {
    made: 'ALERT_CONFIG_ADDED_AUDIT',
    changed: 'ALERT_CONFIG_CHANGED_AUDIT',
    removed: 'ALERT_CONFIG_DELETED_AUDIT',
    field: 'alertConfigId',
    tellsSame: true,
  },
  make: ({ project }, name, value) => ({
    method: 'POST',
    path: `${project}/alertConfigs`,
    body: bodyOf(name, value),
  }),
  change: ({ project }, id, value, name) => ({
    method: 'PUT',
    path: `${project}/alertConfigs/${id}`,
    body: bodyOf(name, value),
  }),
  remove: ({ project }, id) => ({ method: 'DELETE', path: `${project}/alertConfigs/${id}` }),
  async list(client, { project }) {
    const all = await allOf<Shown>(client, `${project}/alertConfigs`);
    return all.map(({ id, notifications: [first] }) => ({
      id,
      name: first?.emailAddress?.replace('@example.org', '') ?? id,
      value: String(first?.intervalMin ?? ''),
    }));
  },
};
