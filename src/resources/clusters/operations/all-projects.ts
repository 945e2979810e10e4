import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../../api/fields.ts';
import type { ReadTx } from '../../../store/index.ts';
import { organizationNames } from '../../organizations/index.ts';
import { pageOfVisible } from '../../projects/index.ts';
import { operation, type Services } from '../../services.ts';
import { versionOf } from '../catalogue/versions.ts';
import { type CountedCluster, withCounts } from '../lists.ts';
import { type ClusterModel, isSharded } from '../model/cluster.ts';
import { shapeOf } from '../model/expressible.ts';
import { isServedBy } from '../model/kinds.ts';
import { allOf } from '../rows.ts';

/** The clusters of every project that a caller can see, as an overview has them (contract 2.15). */

const ClusterOverview = Type.Object({
  alertCount: Type.Integer(),
  authEnabled: Type.Boolean(),
  availability: Choice(['available', 'dead', 'unavailable', 'warning']),
  backupEnabled: Type.Boolean(),
  clusterId: Id(),
  dataSizeBytes: Type.Integer({ description: 'What its files hold, as of the last ten seconds.' }),
  name: Type.String(),
  nodeCount: Type.Integer(),
  sslEnabled: Type.Boolean(),
  type: Choice(['REPLICA_SET', 'SHARDED_CLUSTER']),
  versions: Type.Array(Type.String()),
});

const ProjectOverview = entity(
  Type.Object({
    clusters: readOnly(Type.Array(ClusterOverview)),
    groupId: readOnly(Id()),
    groupName: Type.String(),
    links: Links,
    orgId: readOnly(Id()),
    orgName: Type.String(),
    planType: readOnly(Type.String()),
    tags: readOnly(Type.Array(Type.String())),
  }),
  { name: 'projectOverview', self: 'getProject', params: (row) => ({ groupId: row.groupId ?? '' }) },
);

export const listAllClusters = operation('listClustersForAllProjects', {
  summary: 'Lists the clusters of every project that the caller can see.',
  access: 'any caller',
  reply: ProjectOverview,
  list: 'page',
  status: 200,
  reachedFrom: { root: 'clusters' },
  async handler(call) {
    const { results, ...page } = await call.read((tx) => projectsWith(tx, call));
    const withSizes = await Promise.all(
      results.map(async ({ counted, ...project }) => ({
        ...project,
        clusters: await Promise.all(counted.map((each) => overview(each, call.services))),
      })),
    );
    return { ...page, results: withSizes };
  },
});

async function projectsWith(tx: ReadTx, call: Parameters<typeof pageOfVisible>[1]) {
  const { results, ...page } = await pageOfVisible(tx, call);
  const orgIds = results.map(({ orgId }) => orgId);
  const orgNames = await organizationNames(tx, orgIds);
  const projects = [];
  for (const { id = '', name, orgId } of results) {
    const models = (await allOf(tx, id)).filter(
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

async function overview({ cluster, openAlerts }: CountedCluster, services: Services) {
  const { spec, placement } = cluster;
  return {
    alertCount: openAlerts,
    authEnabled: true,
    availability: availabilityOf(cluster),
    backupEnabled: spec.kept.providerBackupEnabled === true,
    clusterId: cluster.id,
    dataSizeBytes: await bytesOf(cluster, services),
    name: cluster.name,
    nodeCount: placement.members.length,
    sslEnabled: services.naming.tls,
    type: isSharded(spec) ? ('SHARDED_CLUSTER' as const) : ('REPLICA_SET' as const),
    versions: [versionOf(spec.majorVersion)],
  };
}

function availabilityOf({ state, paused, placement }: ClusterModel) {
  if (state === 'DELETING') return 'dead' as const;
  if (paused) return 'unavailable' as const;
  const unsettled = state === 'CREATING' || state === 'REPAIRING' || placement.problem !== undefined;
  return unsettled ? ('warning' as const) : ('available' as const);
}

const SAMPLES_MS = 30_000;

/** Of the last sample; 0 before the first one, and where the host cannot be asked from here. */
async function bytesOf({ id, host, placement }: ClusterModel, { engines, clock }: Services): Promise<number> {
  const [member] = placement.members;
  if (member === undefined || !engines.reachable().includes(host)) return 0;
  const now = clock.now().getTime();
  const samples = await engines
    .at(host)
    .metrics(id, member.id, now - SAMPLES_MS, now)
    .catch(() => []);
  return samples.at(-1)?.disk.used ?? 0;
}
