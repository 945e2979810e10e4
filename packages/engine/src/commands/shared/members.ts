import type { MemberAddress, MemberKind, MemberSpec } from '../../interface/engine.ts';

/** What follows from the members of a cluster alone: replica sets, votes, tags, limits. */

/** Connections that one member takes. A driver's pool has 100 at most, unless it is told otherwise; each costs some 20 KB here. */
export const MOST_CONNECTIONS = 5_000;

const nodeTypes: Readonly<Record<MemberKind, string>> = {
  electable: 'ELECTABLE',
  readOnly: 'READ_ONLY',
  analytics: 'ANALYTICS',
  router: 'ROUTER',
};

/** Of a member, as read preferences name them. */
export function tagsOf({
  kind,
  provider,
  region,
}: Pick<MemberSpec, 'kind' | 'provider' | 'region'>): Readonly<Record<string, string>> {
  return { nodeType: nodeTypes[kind], provider, region };
}

/** The members of one replica set: those that hold the data of the shard. */
export function membersOfShard<Member extends Pick<MemberSpec, 'kind' | 'shard'>>(
  members: readonly Member[],
  shard: number,
): Member[] {
  return members.filter((member) => member.kind !== 'router' && member.shard === shard);
}

/** A member as it is named: by its host, an IPv6 address in brackets, and its own port. */
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

/** Members for reading alone have no vote, so that losing them never costs the primary. */
export function isVoter(member: Pick<MemberSpec, 'kind'>): boolean {
  return member.kind === 'electable';
}

export function isElectable(member: MemberSpec): boolean {
  return isVoter(member) && member.priority > 0 && member.hidden !== true;
}
