import type { HostNaming } from '../../services.ts';
import { type ClusterModel, isSharded, type PlacedMember, replicaSetName } from '../model/cluster.ts';
import type { Cluster } from './contract/schema.ts';

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
  const sharded = isSharded(cluster.spec);
  if (updated === undefined || members.length === 0) {
    return { connectionStrings: sharded ? { awsPrivateLinkSrv: {}, privateEndpoint: [] } : {} };
  }
  // Drivers of a sharded cluster speak to its routers alone; one that is becoming sharded has none yet.
  const routers = members.filter(({ id }) => id.startsWith('router-'));
  const reached = routers.length === 0 ? members : routers;
  const hosts = reached.map((member) => `${hostName(cluster, member, naming)}:${member.port}`).join(',');
  const options = [
    ...(naming.tls ? ['ssl=true'] : []),
    'authSource=admin',
    ...(routers.length > 0 ? [] : [`replicaSet=${replicaSetName(mark, 0)}`]),
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
export function hostName(cluster: ClusterModel, member: PlacedMember, naming: HostNaming): string {
  if (naming.domain === undefined) return member.host;
  const node = member.id.replace(/^router/, 'shard');
  return `${cluster.name.toLowerCase()}-${node}.${projectMark(cluster.groupId)}.${naming.domain}`;
}

/** Six characters that are the same for every cluster of a project. */
function projectMark(groupId: string): string {
  return BigInt(`0x${groupId}`).toString(36).slice(-6).padStart(6, '0');
}
