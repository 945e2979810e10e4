import { allOf } from '../all-of.ts';
import type { Kind } from './kind.ts';

interface Shown {
  readonly name: string;
  readonly connectionStrings: { readonly standard?: string };
}

/** The value is the number of nodes in connection strings. */
export const clusters: Kind = {
  name: 'cluster',
  values: ['3', '5'],
  atMost: 5,
  isSlow: true,
  events: {
    made: 'CLUSTER_CREATED',
    changed: 'CLUSTER_UPDATE_SUBMITTED',
    removed: 'CLUSTER_DELETE_SUBMITTED',
    field: 'clusterName',
    tellsSame: true,
  },
  make: ({ project }, name, nodes) => ({
    method: 'POST',
    path: `${project}/clusters`,
    body: {
      name,
      replicationFactor: Number(nodes),
      providerBackupEnabled: true,
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
    },
  }),
  change: ({ project }, name, nodes) => ({
    method: 'PATCH',
    path: `${project}/clusters/${name}`,
    body: { replicationFactor: Number(nodes) },
  }),
  remove: ({ project }, name) => ({ method: 'DELETE', path: `${project}/clusters/${name}` }),
  async list(client, { project }) {
    const all = await allOf<Shown>(client, `${project}/clusters`);
    return all.map(({ name, connectionStrings: { standard = '' } }) => ({
      name,
      value: String(standard.match(/:\d+/g)?.length ?? 0),
    }));
  },
};
