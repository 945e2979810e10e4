import type { Client } from '../client.ts';
import { allOf } from './all-of.ts';
import type { Asked, Kind, Place } from './fates.ts';
import { STEADY } from './steady.ts';

/** Things that are found by what they are called, and changed by their ids. */

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** Asks of the thing with this name by its id; nothing where it is not there. */
async function byId(
  shown: Promise<readonly Shown[]>,
  name: string,
  asked: (id: string) => Asked,
): Promise<Asked | undefined> {
  const found = (await shown).find((one) => one.name === name);
  return found && asked(found.id);
}

const listed = async (shown: Promise<readonly Shown[]>) =>
  (await shown).map(({ name, value }) => [name, value] as const);

const PROJECT = 'own-project';

async function projects(client: Client): Promise<readonly Shown[]> {
  const all = await allOf<{ id: string; name: string; tags: { value: string }[] }>(client, '/groups');
  return all
    .filter(({ name }) => name.startsWith(PROJECT))
    .map(({ id, name, tags }) => ({ id, name, value: tags[0]?.value ?? '' }));
}

const project: Kind = {
  name: 'own project',
  values: ['east', 'west'],
  make: ({ orgId }, name, value) => ({
    method: 'POST',
    path: '/groups',
    body: { name, orgId, tags: [{ key: 'coast', value }] },
  }),
  change: (_, name, value, client) =>
    byId(projects(client), name, (id) => ({
      method: 'PATCH',
      path: `/groups/${id}`,
      body: { tags: [{ key: 'coast', value }] },
    })),
  remove: (_, name, client) =>
    byId(projects(client), name, (id) => ({ method: 'DELETE', path: `/groups/${id}` })),
  list: (client) => listed(projects(client)),
};

const KEY = 'key';

/** Their description holds the name and the value. */
async function keys(client: Client, { orgId }: Place): Promise<readonly Shown[]> {
  const all = await allOf<{ id: string; desc: string }>(client, `/orgs/${orgId}/apiKeys`);
  return all.flatMap(({ id, desc }) => {
    const [name = '', value = ''] = desc.split(' at ');
    return name.startsWith(`${KEY}-`) ? [{ id, name, value }] : [];
  });
}

const key: Kind = {
  name: KEY,
  isNamedFreely: true,
  values: ['home', 'sea', 'work'],
  make: ({ orgId }, name, value) => ({
    method: 'POST',
    path: `/orgs/${orgId}/apiKeys`,
    body: { desc: `${name} at ${value}`, roles: ['ORG_MEMBER'] },
  }),
  change: (place, name, value, client) =>
    byId(keys(client, place), name, (id) => ({
      method: 'PATCH',
      path: `/orgs/${place.orgId}/apiKeys/${id}`,
      body: { desc: `${name} at ${value}` },
    })),
  remove: (place, name, client) =>
    byId(keys(client, place), name, (id) => ({
      method: 'DELETE',
      path: `/orgs/${place.orgId}/apiKeys/${id}`,
    })),
  list: (client, place) => listed(keys(client, place)),
};

const snapshotsPath = ({ project: path }: Place) => `${path}/clusters/${STEADY}/backup/snapshots`;

async function snapshots(client: Client, place: Place): Promise<readonly Shown[]> {
  const all = await allOf<{ id: string; description?: string; status: string }>(client, snapshotsPath(place));
  return all.map(({ id, description: name = '', status }) => ({
    id,
    name,
    value: /^(completed|failed)$/.test(status) ? 'over' : status,
  }));
}

/** Of the cluster that is there all the time; in the end each has come to its own. */
const snapshot: Kind = {
  name: 'snapshot',
  isNamedFreely: true,
  values: ['over'],
  make: (place, description) => ({
    method: 'POST',
    path: snapshotsPath(place),
    body: { description, retentionInDays: 1 },
  }),
  remove: (place, name, client) =>
    byId(snapshots(client, place), name, (id) => ({
      method: 'DELETE',
      path: `${snapshotsPath(place)}/${id}`,
    })),
  list: (client, place) => listed(snapshots(client, place)),
};

export const kindsById: readonly Kind[] = [project, key, snapshot];
