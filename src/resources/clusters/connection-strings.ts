import type { HostNaming } from '../services.ts';
import type { ClusterModel, PlacedMember } from './model.ts';
import { replicaSetName } from './model.ts';
import type { Cluster } from './schema.ts';

type Texts = Pick<
  Cluster,
  'connectionStrings' | 'dbURI' | 'dbURIUpdated' | 'dbURIWithOptions' | 'srvAddress'
>;

/**
 * The connection strings of a cluster (contract 2.18). Empty until the first deployment stands: a string that nobody
 * answers would send drivers into their time-outs.
 */
export function connectionTexts(cluster: ClusterModel, naming: HostNaming): Texts {
  const { members, mark, updated } = cluster.placement;
  if (updated === undefined || members.length === 0) return { connectionStrings: {} };
  const hosts = members.map((member) => `${hostName(cluster, member, naming)}:${member.port}`).join(',');
  const options = [
    ...(naming.tls ? ['ssl=true'] : []),
    'authSource=admin',
    ...(cluster.spec.clusterType === 'REPLICASET' ? [`replicaSet=${replicaSetName(mark, 0)}`] : []),
  ];
  const withOptions = `mongodb://${hosts}/?${options.join('&')}`;
  return {
    connectionStrings: { standard: withOptions },
    dbURI: `mongodb://${hosts}`,
    dbURIUpdated: updated,
    dbURIWithOptions: withOptions,
  };
}

/** `<cluster>-shard-00-00.<project mark>.<domain>` where a domain resolves, the member's address otherwise. */
function hostName(cluster: ClusterModel, member: PlacedMember, naming: HostNaming): string {
  if (naming.domain === undefined) return member.host;
  return `${cluster.name.toLowerCase()}-${member.id}.${projectMark(cluster.groupId)}.${naming.domain}`;
}

/** Six characters that are the same for every cluster of a project. */
function projectMark(groupId: string): string {
  return BigInt(`0x${groupId}`).toString(36).slice(-6).padStart(6, '0');
}
