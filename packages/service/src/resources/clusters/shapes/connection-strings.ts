import { LEGACY_VERSION, type ReleaseDate } from '../../../api/versions.ts';
import type { ReadTx } from '../../../store/index.ts';
import type { HostNaming } from '../../services.ts';
import {
  type ClusterModel,
  firstProvider,
  isSharded,
  type PlacedMember,
  setNameOf,
} from '../model/cluster.ts';
import { projectMark } from '../model/names.ts';
import { isStandalone, ownNamesOf } from '../model/servers.ts';
import { projectsWithClusters } from '../rows.ts';
import type { Cluster } from './contract/schema.ts';

type Texts = Pick<
  Cluster,
  'connectionStrings' | 'dbURI' | 'dbURIUpdated' | 'dbURIWithOptions' | 'srvAddress'
>;

/**
 * Returns the connection strings of a cluster (docs/contract/api.md 2.18). Empty until the first deployment is
 * complete: the addresses have no servers before that, and drivers would try to connect until they time out.
 */
export function connectionTexts(cluster: ClusterModel, naming: HostNaming): Texts {
  const { members, updated } = cluster.placement;
  const sharded = isSharded(cluster.spec);
  if (updated === undefined || members.length === 0) {
    return { connectionStrings: sharded ? { awsPrivateLinkSrv: {}, privateEndpoint: [] } : {} };
  }
  const options = optionsOf(cluster);
  const texts = (own: boolean) => {
    const hosts = reachedMembers(cluster).map(
      (member) => `${hostName(cluster, member, naming, own)}:${member.port}`,
    );
    const srv = srvName(cluster, naming, own);
    const query = [...(usesTls(cluster, naming) ? ['ssl=true'] : []), ...options].join('&');
    return { plain: `mongodb://${hosts.join(',')}`, query, srv };
  };
  const standard = texts(false);
  const owned = hasOwnNames(cluster, naming) ? texts(true) : undefined;
  const withOptions = `${standard.plain}/?${standard.query}`;
  return {
    connectionStrings: {
      ...(owned === undefined ? {} : { private: `${owned.plain}/?${owned.query}` }),
      ...(owned?.srv === undefined ? {} : { privateSrv: owned.srv }),
      standard: withOptions,
      ...(standard.srv === undefined ? {} : { standardSrv: standard.srv }),
    },
    dbURI: standard.plain,
    dbURIUpdated: updated,
    dbURIWithOptions: withOptions,
    ...(standard.srv === undefined ? {} : { srvAddress: standard.srv }),
  };
}

/**
 * Returns the members to which drivers connect. In a sharded cluster, these are the routers. A cluster that is becoming
 * sharded has no routers yet, so drivers connect to all of its members.
 */
export function reachedMembers({ placement }: ClusterModel): readonly PlacedMember[] {
  const routers = placement.members.filter(({ id }) => id.startsWith('router-'));
  return routers.length === 0 ? placement.members : routers;
}

/** Returns the options in the query of a connection string. */
export function optionsOf(cluster: ClusterModel): string[] {
  const { placement } = cluster;
  const routed = isStandalone(cluster) || placement.members.some(({ id }) => id.startsWith('router-'));
  return ['authSource=admin', ...(routed ? [] : [`replicaSet=${setNameOf(placement, 0)}`])];
}

/**
 * Returns the SRV name of a cluster. Undefined unless the service itself serves DNS. Without DNS, drivers would search
 * for the record of the name until they time out.
 */
function srvName(cluster: ClusterModel, naming: HostNaming, own: boolean): string | undefined {
  const named = ownNamesOf(cluster);
  if (named !== undefined)
    return named.srvHost && `mongodb+srv://${named.srvHost}${named.tls ? '' : '/?ssl=false'}`;
  if (naming.dns === undefined) return undefined;
  // Drivers enable TLS by default if the connection string has an SRV name.
  return `mongodb+srv://${seedName(cluster, naming, own)}${naming.tls ? '' : '/?ssl=false'}`;
}

/** Whether drivers connect to the nodes with TLS. */
export function usesTls(cluster: Pick<ClusterModel, 'placement'>, { tls }: Pick<HostNaming, 'tls'>): boolean {
  return ownNamesOf(cluster)?.tls ?? tls;
}

/**
 * Whether a cluster has names for custom DNS: it is a dedicated cluster at AWS whose project uses custom DNS, and a
 * domain is configured.
 */
function hasOwnNames({ spec, placement }: ClusterModel, { domain }: HostNaming): boolean {
  return (
    domain !== undefined &&
    ownNamesOf({ placement }) === undefined &&
    placement.ownNames === true &&
    !spec.tenant &&
    firstProvider(spec) === 'AWS'
  );
}

/**
 * Returns `<cluster>-shard-00-00.<project mark>.<domain>` if a domain is configured, otherwise the member's address.
 * `own` selects the host name for custom DNS (docs/contract/api.md 2.18).
 */
export function hostName(
  cluster: ClusterModel,
  member: PlacedMember,
  naming: HostNaming,
  own = false,
): string {
  if (naming.domain === undefined || ownNamesOf(cluster) !== undefined) return member.host;
  return `${nodeName(cluster, member.id, { ...naming, own })}.${naming.domain}`;
}

/** Returns the names of a member without the domain. The newest form comes first. */
export function nodeNames(cluster: ClusterModel, memberId: string): string[] {
  return [false, true].flatMap((own) =>
    [false, true].map((hyphens) => nodeName(cluster, memberId, { own, hyphens })),
  );
}

/** Returns the name of the SRV record that lists the hosts of a cluster. */
export function seedName(cluster: ClusterModel, naming: HostNaming, own = false): string {
  return `${marked(labelOf(cluster, own), cluster, naming)}.${naming.domain}`;
}

interface Form {
  readonly own: boolean;
  readonly hyphens?: boolean;
}

function nodeName(cluster: ClusterModel, memberId: string, { own, hyphens = false }: Form): string {
  const node = memberId.replace(/^router/, 'shard');
  return marked(`${labelOf(cluster, own)}-${node}`, cluster, { hyphens });
}

function marked(label: string, { groupId }: ClusterModel, { hyphens }: Pick<HostNaming, 'hyphens'>): string {
  return `${label}${hyphens === true ? '-' : '.'}${projectMark(groupId)}`;
}

/** Returns the forms of host names, newest first. */
export function formsOf(naming: HostNaming): readonly HostNaming[] {
  return naming.domain === undefined ? [naming] : [naming, { ...naming, hyphens: true }];
}

/**
 * Returns wildcard names below a domain, for the certificates of members. The wildcards cover all host names of all
 * clusters.
 */
export async function memberNames(tx: ReadTx, naming: HostNaming): Promise<string[]> {
  const marks = (await projectsWithClusters(tx)).map((groupId) => projectMark(groupId));
  return [`*.${naming.domain}`, ...marks.map((mark) => `*.${mark}.${naming.domain}`)];
}

/** Returns the form of host names in an API version. */
export function namingIn(version: ReleaseDate, naming: HostNaming): HostNaming {
  return version === LEGACY_VERSION ? { ...naming, hyphens: true } : naming;
}

function labelOf({ name }: ClusterModel, own: boolean): string {
  return `${name.toLowerCase()}${own ? '-pri' : ''}`;
}
