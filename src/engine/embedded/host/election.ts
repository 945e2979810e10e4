import type { MemberSpec } from '../../engine.ts';
import { isElectable, isVoter } from '../wire/view.ts';
import type { DeploymentRecord } from './record.ts';

/**
 * The record with the primary that its members would vote for: of those that run the one with the highest priority,
 * and among equals the one that is primary already. Without a majority of the voters there is none. All members
 * work on one store, so none of them can be behind, and nothing has to be waited for.
 */
export function elect(record: DeploymentRecord, without?: string): DeploymentRecord {
  const { primary: before, ...rest } = record;
  const primary = hasMajority(record) ? favourite(record, without) : undefined;
  if (primary === undefined) return rest;
  return { ...rest, primary, term: primary === before ? record.term : record.term + 1 };
}

/** The record with the member stopped or running, and what the others make of it. */
export function withMember(record: DeploymentRecord, memberId: string, runs: boolean): DeploymentRecord {
  const { stopped = [], ...rest } = record;
  const others = stopped.filter((id) => id !== memberId);
  const next = runs ? others : [...others, memberId];
  return elect(next.length === 0 ? rest : { ...rest, stopped: next });
}

export function isStopped(record: Pick<DeploymentRecord, 'stopped'>, memberId: string): boolean {
  return record.stopped?.includes(memberId) === true;
}

function hasMajority(record: DeploymentRecord): boolean {
  const voters = record.spec.members.filter(isVoter);
  return running(record, voters).length * 2 > voters.length;
}

function favourite(record: DeploymentRecord, without: string | undefined): string | undefined {
  const candidates = running(record, record.spec.members.filter(isElectable)).filter(
    ({ id }) => id !== without,
  );
  const incumbent = ({ id }: MemberSpec) => Number(id === record.primary);
  const [first] = candidates.toSorted((a, b) => b.priority - a.priority || incumbent(b) - incumbent(a));
  return first?.id;
}

function running(record: DeploymentRecord, members: readonly MemberSpec[]): MemberSpec[] {
  return members.filter(({ id }) => !isStopped(record, id));
}
