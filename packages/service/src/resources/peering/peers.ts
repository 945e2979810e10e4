import { pageOf } from '../../store/index.ts';
import { extension } from '../services.ts';
import { addPeer, changePeer, removePeer } from './changes.ts';
import { presentPeer } from './present.ts';
import { peersOf } from './rows.ts';
import { requirePeer } from './rules.ts';
import { ListQuery, NewPeer, Peer } from './schema.ts';

const tag = 'Network Peering';
const LIST = '/groups/{groupId}/peers';
const ONE = `${LIST}/{peerId}` as const;

export const listPeers = extension({
  id: 'listPeeringConnections',
  tag,
  method: 'GET',
  path: LIST,
  summary: 'Lists the peering connections of a project at one cloud provider; the default is AWS.',
  access: 'Project Read Only',
  query: ListQuery,
  reply: Peer,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const named = call.query.providerName ?? 'AWS';
      const rows = (await peersOf(tx, call.params.groupId)).filter(({ provider }) => provider === named);
      return pageOf(rows.map(presentPeer), call.page);
    }),
});

export const getPeer = extension({
  id: 'getPeeringConnection',
  tag,
  method: 'GET',
  path: ONE,
  summary: 'Returns one peering connection of a project.',
  access: 'Project Read Only',
  reply: Peer,
  status: 200,
  handler: ({ params, read }) => read(async (tx) => presentPeer(await requirePeer(tx, params))),
});

export const createPeer = extension({
  id: 'createPeeringConnection',
  tag,
  method: 'POST',
  path: LIST,
  summary: 'Records a peering connection. The service does not connect networks.',
  access: 'Project Owner',
  body: NewPeer,
  reply: Peer,
  status: 201,
  handler: ({ params, body, actor, write }) =>
    write(async (tx) => presentPeer(await addPeer(tx, params.groupId, body, actor))),
});

export const updatePeer = extension({
  id: 'updatePeeringConnection',
  tag,
  method: 'PATCH',
  path: ONE,
  summary: 'Changes a recorded peering connection.',
  access: 'Project Owner',
  body: NewPeer,
  reply: Peer,
  status: 200,
  handler: ({ params, body, actor, write }) =>
    write(async (tx) => presentPeer(await changePeer(tx, await requirePeer(tx, params), body, actor))),
});

export const deletePeer = extension({
  id: 'deletePeeringConnection',
  tag,
  method: 'DELETE',
  path: ONE,
  summary: 'Deletes a recorded peering connection.',
  access: 'Project Owner',
  status: 204,
  handler: ({ params, actor, write }) =>
    write(async (tx) => removePeer(tx, await requirePeer(tx, params), actor)),
});
