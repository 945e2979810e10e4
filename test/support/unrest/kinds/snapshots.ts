import { allOf } from '../all-of.ts';
import { STEADY } from '../steady.ts';
import type { Kind, Place } from './kind.ts';

interface Shown {
  readonly id: string;
  readonly description?: string;
  readonly status: string;
}

const path = ({ project }: Place) => `${project}/clusters/${STEADY}/backup/snapshots`;

/** Of the cluster that is there all the time; in the end each has come to its own. */
export const snapshots: Kind = {
  name: 'snapshot',
  values: ['over'],
  isKnownById: true,
  isSlow: true,
  // They name the cluster alone.
  events: { made: 'CPS_ON_DEMAND_SNAPSHOT_REQUESTED', removed: 'CPS_SNAPSHOT_DELETED_AUDIT' },
  make: (place, description) => ({
    method: 'POST',
    path: path(place),
    body: { description, retentionInDays: 1 },
  }),
  remove: (place, id) => ({ method: 'DELETE', path: `${path(place)}/${id}` }),
  async list(client, place) {
    const all = await allOf<Shown>(client, path(place));
    return all.map(({ id, description: name = '', status }) => ({
      ...{ id, name },
      value: /^(completed|failed)$/.test(status) ? 'over' : status,
    }));
  },
};
