import type { MemberAddress, MemberKind, MemberSpec } from '../../interface/engine.ts';

/** Properties derived from the members of a cluster: replica sets, votes, tags, limits. */

/** Connection limit per member. A driver's pool has at most 100 by default; each connection costs about 20 KB. */
export const MAX_CONNECTIONS = 5_000;

const nodeTypes: Readonly<Record<MemberKind, string>> = {
  electable: 'ELECTABLE',
  readOnly: 'READ_ONLY',
  analytics: 'ANALYTICS',
  router: 'ROUTER',
};

/** The tags of a member for read preferences. */
export function tagsOf({
  kind,
  provider,
  region,
}: Pick<MemberSpec, 'kind' | 'provider' | 'region'>): Readonly<Record<string, string>> {
  return { nodeType: nodeTypes[kind], provider, region };
}

/** The members of a shard's replica set. */
export function membersOfShard<Member extends Pick<MemberSpec, 'kind' | 'shard'>>(
  members: readonly Member[],
  shard: number,
): Member[] {
  return members.filter((member) => member.kind !== 'router' && member.shard === shard);
}

/** A member's `host:port`, with brackets around an IPv6 address. */
export function addressOf({ host, port }: Pick<MemberAddress, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

interface SetNames {
  readonly replicaSetName: string;
  readonly shardNames?: readonly string[] | undefined;
}

/** The name of a shard's replica set. */
export function setNameOf({ replicaSetName, shardNames }: SetNames, shard: number): string {
  return shardNames?.[shard] ?? replicaSetName;
}

/** Read-only members have no vote, so losing them never costs the majority. */
export function isVoter(member: Pick<MemberSpec, 'kind'>): boolean {
  return member.kind === 'electable';
}

export function isElectable(member: MemberSpec): boolean {
  return isVoter(member) && member.priority > 0 && member.hidden !== true;
}
