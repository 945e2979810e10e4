import { isElectable, isVoter, membersOfShard } from '../commands/shared/members.ts';
import type { MemberSpec } from '../interface/engine.ts';
import type { DeploymentRecord } from './record.ts';

/**
 * The record with the primaries that the members of each replica set would vote for: of those that run the one with
 * the highest priority, and among equals the one that is primary already. Without a majority of the voters there is
 * none. All members work on one store, so none of them can be behind, and nothing has to be waited for.
 */
export function elect(record: DeploymentRecord, without: readonly string[] = []): DeploymentRecord {
  const { members } = record.spec;
  const shards = [...new Set(members.map(({ shard }) => shard))].sort((a, b) => a - b);
  const primaries = shards.flatMap((shard) => {
    const voters = membersOfShard(members, shard).filter(isVoter);
    return hasMajority(record, voters) ? favourite(record, voters, without) : [];
  });
  const anew = primaries.some((id) => !record.primaries.includes(id));
  return { ...record, primaries, term: anew ? record.term + 1 : record.term };
}

/** More than happen in the hours that anybody asks for. */
const MOST_ELECTIONS = 100;

/** The record with the elections since `before` noted; that of the first primaries of a replica set is none. */
export function withElections(
  before: DeploymentRecord,
  after: DeploymentRecord,
  time: number,
): DeploymentRecord {
  if (before.primaries === after.primaries) return after;
  const shardOf = (id: string) => after.spec.members.find((member) => member.id === id)?.shard;
  const known = new Set(before.spec.members.map(({ shard }) => shard));
  const anew = after.primaries.filter((id) => !before.primaries.includes(id) && known.has(shardOf(id) ?? -1));
  if (anew.length === 0) return after;
  const elections = [...(before.elections ?? []), ...anew.map((memberId) => ({ memberId, time }))];
  return { ...after, elections: elections.slice(-MOST_ELECTIONS) };
}

/** The record with the member stopped or running, and what the others make of it. */
export function withMember(record: DeploymentRecord, memberId: string, runs: boolean): DeploymentRecord {
  const { stopped = [], ...rest } = record;
  const others = stopped.filter((id) => id !== memberId);
  const next = runs ? others : [...others, memberId];
  return elect(next.length === 0 ? rest : { ...rest, stopped: next });
}

/** The record with a member that is not to be elected for the time being, or may be again. */
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

/** Its id; nothing where nobody can be elected. */
function favourite(
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
