import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../../api/fields.ts';
import type { ReadTx } from '../../../store/index.ts';
import { requireEntry } from '../../access-list/index.ts';
import { operation } from '../../services.ts';
import { accessRevision } from '../lifecycle/access.ts';
import { can } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clustersIn } from '../rows.ts';

/** These operations return the addresses of nodes, and the status of access list entries. */

const Addresses = Type.Array(Type.String());

const ProjectAddresses = entity(
  Type.Object({
    groupId: readOnly(Id()),
    links: Links,
    services: readOnly(
      Type.Object({
        clusters: Type.Array(
          Type.Object({
            clusterName: Type.String(),
            futureInbound: Addresses,
            futureOutbound: Addresses,
            inbound: Addresses,
            outbound: Addresses,
          }),
        ),
      }),
    ),
  }),
  { name: 'projectAddresses', self: 'returnAllIpAddresses', params: (a) => ({ groupId: a.groupId ?? '' }) },
);

export const listAddresses = operation({
  id: 'returnAllIpAddresses',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}/ipAddresses',
  summary: 'Lists the addresses of the nodes of each cluster of a project.',
  access: 'Project Read Only',
  reply: ProjectAddresses,
  status: 200,
  reachedFrom: { project: 'ipAddresses' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId } = call.params;
      return { groupId, services: { clusters: (await clustersIn(tx, groupId)).map(addressesOf) } };
    }),
});

function addressesOf({ name, placement }: ClusterModel) {
  const hosts = [...new Set(placement.members.map(({ host }) => host))];
  return { clusterName: name, inbound: hosts, outbound: hosts, futureInbound: [], futureOutbound: [] };
}

const ControlPlane = entity(
  Type.Object(
    {
      inbound: readOnly(Type.Record(Type.String(), Type.Record(Type.String(), Addresses))),
      links: Links,
      outbound: readOnly(Type.Record(Type.String(), Type.Record(Type.String(), Addresses))),
    },
    {
      description:
        "Addresses of the service at cloud providers, by provider and region. All lists are empty, since the service runs on its operator's machines.",
    },
  ),
  { name: 'controlPlaneAddresses', self: 'returnAllControlPlaneIpAddresses', params: () => ({}) },
);

/** These lists are empty, since the service runs on the operator's machines, not at a cloud provider. */
const noAddresses = { aws: {}, azure: {}, gcp: {} };

export const listControlPlaneAddresses = operation({
  id: 'returnAllControlPlaneIpAddresses',
  tag: 'Root',
  method: 'GET',
  path: '/unauth/controlPlaneIPAddresses',
  versions: { '2023-11-15': 'same', '2025-03-12': 'same' },
  summary:
    "Lists the addresses of the service at cloud providers. All lists are empty, since the service runs on its operator's machines.",
  access: 'no credentials',
  reply: ControlPlane,
  status: 200,
  reachedFrom: { root: 'controlPlaneIPAddresses' },
  handler: async () => ({ inbound: noAddresses, outbound: noAddresses }),
});

const EntryStatus = entity(Type.Object({ STATUS: Choice(['PENDING', 'FAILED', 'ACTIVE']), links: Links }), {
  name: 'accessListEntryStatus',
  self: 'getProjectIpAccessListStatus',
  params: () => ({}),
});

export const getEntryStatus = operation({
  id: 'getProjectIpAccessListStatus',
  tag: 'Project IP Access List',
  method: 'GET',
  path: '/groups/{groupId}/accessList/{entryValue}/status',
  summary: 'Returns whether an entry of the access list is in effect on all clusters of the project.',
  access: 'Project Read Only',
  reply: EntryStatus,
  status: 200,
  reachedFrom: { accessListEntry: 'status' },
  handler: (call) => call.read(async (tx) => ({ STATUS: await statusOf(tx, call.params) })),
});

async function statusOf(tx: ReadTx, at: { readonly groupId: string; readonly entryValue: string }) {
  await requireEntry(tx, at);
  const wanted = await accessRevision(tx, at.groupId);
  const clusters = (await clustersIn(tx, at.groupId)).filter(
    (cluster) => cluster.state !== 'DELETING' && can(cluster, 'addresses'),
  );
  if (clusters.every(({ accessRevision }) => accessRevision >= wanted)) return 'ACTIVE' as const;
  const failed = clusters.some((cluster) => cluster.accessRevision < wanted && cluster.placement.problem);
  return failed ? ('FAILED' as const) : ('PENDING' as const);
}
