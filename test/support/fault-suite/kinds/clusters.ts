import { listAll } from '../list-all.ts';
import type { ResourceKind } from './kind.ts';

interface ListedCluster {
  readonly name: string;
  readonly connectionStrings: { readonly standard?: string };
}

/** Clusters. The value of a cluster is the number of nodes in its connection string. */
export const clusters: ResourceKind = {
  name: 'cluster',
  values: ['3', '5'],
  limit: 5,
  isAsynchronous: true,
  events: {
    created: 'CLUSTER_CREATED',
    changed: 'CLUSTER_UPDATE_SUBMITTED',
    deleted: 'CLUSTER_DELETE_SUBMITTED',
    resourceField: 'clusterName',
    recordsNoOps: true,
  },
  create: ({ project }, name, nodes) => ({
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
  delete: ({ project }, name) => ({ method: 'DELETE', path: `${project}/clusters/${name}` }),
  async list(client, { project }) {
    const all = await listAll<ListedCluster>(client, `${project}/clusters`);
    return all.map(({ name, connectionStrings: { standard = '' } }) => ({
      name,
      value: String(standard.match(/:\d+/g)?.length ?? 0),
    }));
  },
};
