import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../../api/fields.ts';
import type { ReadTx } from '../../../store/index.ts';
import { organizationNames } from '../../organizations/index.ts';
import { pageOfVisible } from '../../projects/index.ts';
import { operation, type Services } from '../../services.ts';
import { type CountedCluster, withCounts } from '../lists.ts';
import { type ClusterModel, isSharded, shownVersion } from '../model/cluster.ts';
import { shapeOf } from '../model/expressible.ts';
import { isServedBy } from '../model/kinds.ts';
import { clustersIn } from '../rows.ts';
import { usesTls } from '../shapes/connection-strings.ts';

/**
 * This operation returns an overview of the clusters in all projects that a caller can see
 * (docs/contract/api.md 2.15).
 */

const ClusterOverview = Type.Object({
  alertCount: Type.Integer(),
  authEnabled: Type.Boolean({ description: 'Always true: clients must log in.' }),
  availability: Choice(['available', 'dead', 'unavailable', 'warning'], {
    description:
      '`dead`: the cluster is being deleted. `unavailable`: the cluster is paused, or one of its replica sets has no majority. `warning`: the cluster is being created or repaired, or some of its nodes are stopped. `available`: none of these is true.',
  }),
  backupEnabled: Type.Boolean({ description: 'Whether cloud backup is enabled.' }),
  clusterId: Id(),
  dataSizeBytes: Type.Integer({
    description: "Size of the cluster's files in bytes, measured every ten seconds.",
  }),
  name: Type.String({ description: 'Name of the cluster.' }),
  nodeCount: Type.Integer(),
  sslEnabled: Type.Boolean({ description: 'Whether the nodes require TLS.' }),
  type: Choice(['REPLICA_SET', 'SHARDED_CLUSTER']),
  versions: Type.Array(Type.String(), { description: 'Database versions of the nodes.' }),
});

const ProjectOverview = entity(
  Type.Object({
    clusters: readOnly(Type.Array(ClusterOverview)),
    groupId: readOnly(Id()),
    groupName: Type.String(),
    links: Links,
    orgId: readOnly(Id()),
    orgName: Type.String(),
    planType: readOnly(Type.String({ description: 'Billing plan, which is the same for all projects.' })),
    tags: readOnly(Type.Array(Type.String())),
  }),
  { name: 'projectOverview', self: 'getProject', params: (row) => ({ groupId: row.groupId ?? '' }) },
);

export const listAllClusters = operation({
  id: 'listClustersForAllProjects',
  tag: 'Clusters',
  method: 'GET',
  path: '/clusters',
  summary: 'Lists the clusters of all projects that the caller can see.',
  access: 'any caller',
  reply: ProjectOverview,
  list: 'page',
  status: 200,
  reachedFrom: { root: 'clusters' },
  async handler(call) {
    const { results, ...page } = await call.read((tx) => projectsWith(tx, call));
    const clusters = results.flatMap(({ counted }) => counted.map(({ cluster }) => cluster));
    const sizes = await sizesOf(clusters, call.services);
    const withSizes = results.map(({ counted, ...project }) => ({
      ...project,
      clusters: counted.map((each) => overview(each, sizes.get(each.cluster.id) ?? 0, call.services)),
    }));
    return { ...page, results: withSizes };
  },
});

async function projectsWith(tx: ReadTx, call: Parameters<typeof pageOfVisible>[1]) {
  const { results, ...page } = await pageOfVisible(tx, call);
  const orgIds = results.map(({ orgId }) => orgId);
  const orgNames = await organizationNames(tx, orgIds);
  const projects = [];
  for (const { id = '', name, orgId } of results) {
    const models = (await clustersIn(tx, id)).filter(
      ({ spec }) => shapeOf(spec) === 'contract' && isServedBy('clusters', spec),
    );
    const orgName = orgNames.get(orgId) ?? '';
    projects.push({
      ...{ groupId: id, groupName: name, orgId, orgName, planType: 'Platform', tags: [] },
      counted: await withCounts(tx, models),
    });
  }
  return { ...page, results: projects };
}

function overview({ cluster, counts }: CountedCluster, dataSizeBytes: number, services: Services) {
  const { spec, placement } = cluster;
  return {
    alertCount: counts.openAlerts,
    authEnabled: true,
    availability: availabilityOf(cluster, counts),
    backupEnabled: spec.settings.providerBackupEnabled === true,
    clusterId: cluster.id,
    dataSizeBytes,
    name: cluster.name,
    nodeCount: placement.members.length,
    sslEnabled: usesTls(cluster, services.naming),
    type: isSharded(spec) ? ('SHARDED_CLUSTER' as const) : ('REPLICA_SET' as const),
    versions: [shownVersion(cluster)],
  };
}

function availabilityOf(
  { state, paused, placement }: ClusterModel,
  { outages, lostMajorities }: CountedCluster['counts'],
) {
  if (state === 'DELETING') return 'dead' as const;
  if (paused || lostMajorities > 0) return 'unavailable' as const;
  const unsettled =
    state === 'CREATING' || state === 'REPAIRING' || placement.problem !== undefined || outages > 0;
  return unsettled ? ('warning' as const) : ('available' as const);
}

const SAMPLES_MS = 30_000;

/**
 * Returns the disk use of each cluster, from the last sample of its first member. Calls each host once. The result
 * lacks clusters without a sample, and clusters whose host is unreachable.
 */
async function sizesOf(
  clusters: readonly ClusterModel[],
  { engines, clock }: Services,
): Promise<Map<string, number>> {
  const now = clock.now().getTime();
  const hosts = Map.groupBy(clusters, ({ host }) => host);
  const replies = engines.reachable().map(async (host) => {
    const there = hosts.get(host) ?? [];
    if (there.length === 0) return [];
    const ids = there.map(({ id }) => id);
    return engines.at(host).newestSamples(ids);
  });
  const first = new Map(clusters.map(({ id, placement }) => [id, placement.members[0]?.id]));
  const sizes = new Map<string, number>();
  const found = await Promise.allSettled(replies);
  for (const { id, memberId, samples } of found.flatMap((one) =>
    one.status === 'fulfilled' ? one.value : [],
  )) {
    const newest = samples.findLast(({ time }) => time >= now - SAMPLES_MS && time <= now);
    if (newest !== undefined && first.get(id) === memberId) sizes.set(id, newest.disk.used);
  }
  return sizes;
}
