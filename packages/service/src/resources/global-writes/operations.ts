import type { ReadTx } from '../../store/index.ts';
import { type ClusterModel, shownZoneId } from '../clusters/index.ts';
import { extension } from '../services.ts';
import { addMappings, addNamespace, removeMappings, removeNamespace } from './changes.ts';
import { namespacesOf } from './rows.ts';
import { isSelfManaged, requireGlobal, requireManaged, validMappings } from './rules.ts';
import { GlobalWrites, ManagedNamespace, NamespaceQuery, ZoneMappings } from './schema.ts';

const tag = 'Global Clusters';
const PATH = '/groups/{groupId}/clusters/{clusterName}/globalWrites';
const writes = 'Project Cluster Manager';

async function present(tx: ReadTx, cluster: ClusterModel): Promise<GlobalWrites> {
  const mappings = await validMappings(tx, cluster);
  return {
    customZoneMapping: Object.fromEntries(mappings.map(({ location, zoneId }) => [location, zoneId])),
    managedNamespaces: await namespacesOf(tx, cluster.id),
    selfManagedSharding: isSelfManaged(cluster),
  };
}

/**
 * Replaces the ids of zones by their `zoneId`. Clients of version 2024-08-05 and of later versions identify zones by
 * their `zoneId`.
 */
function withZoneIds({ customZoneMapping, ...others }: GlobalWrites): GlobalWrites {
  const mapping = Object.entries(customZoneMapping).map(([location, id]) => [location, shownZoneId({ id })]);
  return { ...others, customZoneMapping: Object.fromEntries(mapping) };
}

const versions = {
  '2023-01-01': 'same',
  '2023-02-01': 'same',
  '2024-08-05': { write: withZoneIds },
  '2025-03-12': 'same',
} as const;

export const getGlobalWrites = extension({
  id: 'getManagedNamespace',
  tag,
  method: 'GET',
  path: PATH,
  summary:
    'Returns the mapping of locations to zones of a global cluster, and the managed namespaces of the cluster.',
  access: 'Project Read Only',
  versions,
  reply: GlobalWrites,
  status: 200,
  handler: ({ params, read }) => read(async (tx) => present(tx, await requireGlobal(tx, params))),
});

export const createMappings = extension({
  id: 'createCustomZoneMapping',
  tag,
  method: 'POST',
  path: `${PATH}/customZoneMapping`,
  summary: 'Maps locations (countries and their subdivisions) to zones of a global cluster.',
  access: writes,
  versions,
  body: ZoneMappings,
  reply: GlobalWrites,
  status: 200,
  handler: ({ params, body, write }) =>
    write(async (tx) => {
      const cluster = await requireManaged(tx, params);
      await addMappings(tx, cluster, body);
      return present(tx, cluster);
    }),
});

export const deleteAllMappings = extension({
  id: 'deleteAllCustomZoneMappings',
  tag,
  method: 'DELETE',
  path: `${PATH}/customZoneMapping`,
  summary: 'Removes all mappings of locations to zones of a global cluster. Documents stay where they are.',
  access: writes,
  versions,
  reply: GlobalWrites,
  status: 200,
  handler: ({ params, write }) =>
    write(async (tx) => {
      const cluster = await requireManaged(tx, params);
      await removeMappings(tx, cluster);
      return present(tx, cluster);
    }),
});

export const createNamespace = extension({
  id: 'createManagedNamespace',
  tag,
  method: 'POST',
  path: `${PATH}/managedNamespaces`,
  summary:
    'Shards a collection of a global cluster by the field `location`, and stores each document in the zone of its location.',
  access: writes,
  versions,
  body: ManagedNamespace,
  reply: GlobalWrites,
  status: 200,
  handler: ({ params, body, write }) =>
    write(async (tx) => {
      const cluster = await requireManaged(tx, params);
      await addNamespace(tx, cluster, body);
      return present(tx, cluster);
    }),
});

export const deleteManagedNamespace = extension({
  id: 'deleteManagedNamespace',
  tag,
  method: 'DELETE',
  path: `${PATH}/managedNamespaces`,
  summary: 'Stops managing a collection of a global cluster. The collection and its data stay.',
  access: writes,
  versions,
  query: NamespaceQuery,
  reply: GlobalWrites,
  status: 200,
  handler: ({ params, query, write }) =>
    write(async (tx) => {
      const cluster = await requireManaged(tx, params);
      await removeNamespace(tx, cluster, query);
      return present(tx, cluster);
    }),
});
