import { isElectable, isVoter, membersOfShard } from '../commands/shared/members.ts';
import type { MemberSpec } from '../interface/engine.ts';
import type { DeploymentRecord } from './record.ts';

/**
 * Holds an election in each replica set, and returns the record with the elected primaries. The running
 * member with the highest priority wins. Withheld members and those in `without` are no candidates. Among
 * equal priorities, the current primary wins. If less than a majority of the voters is running, there is no
 * primary. No member can lag behind, because all members share one store.
 */
export function elect(record: DeploymentRecord, without: readonly string[] = []): DeploymentRecord {
  const { members } = record.spec;
  const shards = [...new Set(members.map(({ shard }) => shard))].sort((a, b) => a - b);
  const primaries = shards.flatMap((shard) => {
    const voters = membersOfShard(members, shard).filter(isVoter);
    return hasMajority(record, voters) ? electedOf(record, voters, without) : [];
  });
  const isNew = primaries.some((id) => !record.primaries.includes(id));
  return { ...record, primaries, term: isNew ? record.term + 1 : record.term };
}

/** Maximum number of stored elections. The API reports the elections of some hours, and there are fewer than this. */
const MAX_ELECTIONS = 100;

/**
 * Adds the elections since `before` to the record. The first primary of a new replica set does not count as an
 * election.
 */
export function withElections(
  before: DeploymentRecord,
  after: DeploymentRecord,
  time: number,
): DeploymentRecord {
  if (before.primaries === after.primaries) return after;
  const shardOf = (id: string) => after.spec.members.find((member) => member.id === id)?.shard;
  const known = new Set(before.spec.members.map(({ shard }) => shard));
  const isNew = after.primaries.filter(
    (id) => !before.primaries.includes(id) && known.has(shardOf(id) ?? -1),
  );
  if (isNew.length === 0) return after;
  const elections = [...(before.elections ?? []), ...isNew.map((memberId) => ({ memberId, time }))];
  return { ...after, elections: elections.slice(-MAX_ELECTIONS) };
}

/**
 * Returns the record in which the member is running (`runs`) or stopped. It contains the results of the elections that
 * this change causes.
 */
export function withMember(record: DeploymentRecord, memberId: string, runs: boolean): DeploymentRecord {
  const { stopped = [], ...rest } = record;
  const others = stopped.filter((id) => id !== memberId);
  const next = runs ? others : [...others, memberId];
  return elect(next.length === 0 ? rest : { ...rest, stopped: next });
}

/**
 * Returns the record in which the member is excluded from elections (`isWithheld`), or no longer excluded. It contains
 * the results of the elections that this change causes.
 */
export function withheld(record: DeploymentRecord, memberId: string, isWithheld: boolean): DeploymentRecord {
  const others = record.withheld?.filter((id) => id !== memberId) ?? [];
  return elect({ ...record, withheld: isWithheld ? [...others, memberId] : others });
}

export function isStopped(record: Pick<DeploymentRecord, 'stopped'>, memberId: string): boolean {
  return record.stopped?.includes(memberId) === true;
}

function hasMajority(record: DeploymentRecord, voters: readonly MemberSpec[]): boolean {
  return running(record, voters).length * 2 > voters.length;
}

/** Returns an array with the id of the elected member. The array is empty if there is no candidate. */
function electedOf(
  record: DeploymentRecord,
  voters: readonly MemberSpec[],
  without: readonly string[],
): string[] {
  const candidates = running(record, voters.filter(isElectable)).filter(
    ({ id }) => !without.includes(id) && record.withheld?.includes(id) !== true,
  );
  const incumbent = ({ id }: MemberSpec) => Number(record.primaries.includes(id));
  const best = candidates.toSorted((a, b) => b.priority - a.priority || incumbent(b) - incumbent(a));
  return best.slice(0, 1).map(({ id }) => id);
}

function running(record: DeploymentRecord, members: readonly MemberSpec[]): MemberSpec[] {
  return members.filter(({ id }) => !isStopped(record, id));
}
