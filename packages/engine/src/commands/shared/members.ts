import type { MemberAddress, MemberKind, MemberSpec } from '../../interface/engine.ts';

/** This file derives properties of a cluster from its members: names of replica sets, votes, tags and limits. */

/**
 * Maximum number of connections per member. The pool of a driver has at most 100 connections by default. A connection
 * takes about 20 KB.
 */
export const MAX_CONNECTIONS = 5_000;

const nodeTypes: Readonly<Record<MemberKind, string>> = {
  electable: 'ELECTABLE',
  readOnly: 'READ_ONLY',
  analytics: 'ANALYTICS',
  router: 'ROUTER',
};

/** Returns the tags of a member, to which read preferences refer. */
export function tagsOf({
  kind,
  provider,
  region,
}: Pick<MemberSpec, 'kind' | 'provider' | 'region'>): Readonly<Record<string, string>> {
  return { nodeType: nodeTypes[kind], provider, region };
}

/** Returns the members of a shard's replica set. */
export function membersOfShard<Member extends Pick<MemberSpec, 'kind' | 'shard'>>(
  members: readonly Member[],
  shard: number,
): Member[] {
  return members.filter((member) => member.kind !== 'router' && member.shard === shard);
}

/** Returns `host:port`, with brackets around an IPv6 address. */
export function addressOf({ host, port }: Pick<MemberAddress, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

interface SetNames {
  readonly replicaSetName: string;
  readonly shardNames?: readonly string[] | undefined;
}

/** Returns the name of a shard's replica set. */
export function setNameOf({ replicaSetName, shardNames }: SetNames, shard: number): string {
  return shardNames?.[shard] ?? replicaSetName;
}

/** True if the member has a vote. Read-only members have none, so losing them does not affect the majority. */
export function isVoter(member: Pick<MemberSpec, 'kind'>): boolean {
  return member.kind === 'electable';
}

export function isElectable(member: MemberSpec): boolean {
  return isVoter(member) && member.priority > 0 && member.hidden !== true;
}
