import { listAll } from '../list-all.ts';
import { STEADY } from '../steady-cluster.ts';
import type { ResourceKind, Target } from './kind.ts';

interface ListedSnapshot {
  readonly id: string;
  readonly description?: string;
  readonly status: string;
}

const path = ({ project }: Target) => `${project}/clusters/${STEADY}/backup/snapshots`;

/**
 * Snapshots of the steady cluster. The value of a snapshot is `finished` if it has completed or failed, and otherwise
 * its status.
 */
export const snapshots: ResourceKind = {
  name: 'snapshot',
  values: ['finished'],
  isAddressedById: true,
  isAsynchronous: true,
  // These events name only the cluster.
  events: { created: 'CPS_ON_DEMAND_SNAPSHOT_REQUESTED', deleted: 'CPS_SNAPSHOT_DELETED_AUDIT' },
  create: (place, description) => ({
    method: 'POST',
    path: path(place),
    body: { description, retentionInDays: 1 },
  }),
  delete: (place, id) => ({ method: 'DELETE', path: `${path(place)}/${id}` }),
  async list(client, place) {
    const all = await listAll<ListedSnapshot>(client, path(place));
    return all.map(({ id, description: name = '', status }) => ({
      ...{ id, name },
      value: /^(completed|failed)$/.test(status) ? 'finished' : status,
    }));
  },
};
