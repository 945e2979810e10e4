import { WaitForCommit } from '../../errors/interruption.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { ClusterMember } from '../context/topology.ts';
import { command } from '../shared/define.ts';
import { converted, required } from '../shared/field-builders.ts';
import type { FieldType } from '../shared/fields.ts';
import { isElectable, membersOfShard } from '../shared/members.ts';
import { ownMember, stateChange } from './own-member.ts';

const STEP_DOWN_SECONDS = 60;
const CATCH_UP_SECONDS = 10;
/**
 * Time limit of an election. It usually takes some milliseconds, because all members have the newest write.
 */
const ELECTION_MS = 10_000;

/** The requests that wait for an election. When the election has ended, each request runs again. */
const awaitingElection = new WeakSet<object>();

/** A number of seconds, and the message for a negative number. */
function period(message: string): FieldType<number> {
  return converted('int', (seconds) => {
    if (seconds >= 0) return seconds;
    throw new ServerError('BadValue', message);
  });
}

const replSetStepDown = command({
  name: 'replSetStepDown',
  ...stateChange,
  fields: {
    replSetStepDown: required(period('stepdown period must be a positive integer')),
    force: 'truth',
    secondaryCatchUpPeriodSecs: period('secondaryCatchUpPeriodSecs period must be a positive or absent'),
  },
  run({ replSetStepDown: given, force, secondaryCatchUpPeriodSecs: catchUp }, request, cluster) {
    const own = ownMember(request.caller.member, cluster);
    if (awaitingElection.has(request.caller)) {
      if (own.state !== 'PRIMARY') return {};
      throw noSuccessor();
    }
    const seconds = given || STEP_DOWN_SECONDS;
    checkPeriods(seconds, catchUp ?? (force ? 0 : CATCH_UP_SECONDS));
    if (own.state !== 'PRIMARY') {
      throw new ServerError('NotWritablePrimary', "not primary so can't step down");
    }
    if (!hasSuccessor(own, cluster)) throw noSuccessor();
    awaitingElection.add(request.caller);
    cluster.withhold(own.id, seconds);
    const isReplaced = () => ownMember(own.id, cluster).state !== 'PRIMARY';
    throw new WaitForCommit(ELECTION_MS, isReplaced);
  },
});

function checkPeriods(seconds: number, catchUp: number): void {
  if (seconds < catchUp) {
    throw new ServerError('BadValue', 'stepdown period must be longer than secondaryCatchUpPeriodSecs');
  }
}

function hasSuccessor(own: ClusterMember, { topology }: ClusterContext): boolean {
  return membersOfShard(topology.members, own.shard).some(
    (member) => member.id !== own.id && member.state === 'SECONDARY' && isElectable(member),
  );
}

function noSuccessor(): ServerError {
  return new ServerError('ExceededTimeLimit', 'No electable secondaries caught up, so the primary stays');
}

const replSetFreeze = command({
  name: 'replSetFreeze',
  ...stateChange,
  fields: { replSetFreeze: 'int!' },
  run({ replSetFreeze: seconds }, { caller }, cluster) {
    const own = ownMember(caller.member, cluster);
    if (own.state === 'PRIMARY') {
      throw new ServerError(
        'NotSecondary',
        'cannot freeze node when primary or running for election. state: Primary',
      );
    }
    cluster.withhold(own.id, Math.max(seconds, 0));
    if (seconds === 0) return { info: 'unfreezing' };
    return seconds === 1 ? { warning: 'you really want to freeze for only 1 second?' } : {};
  },
});

export const stateChanges: readonly Command[] = [replSetStepDown, replSetFreeze];
