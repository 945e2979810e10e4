import { Timestamp } from 'bson';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { ClusterMember, Topology } from '../context/topology.ts';
import { command } from '../shared/define.ts';
import { addressOf, isVoter, membersOfShard, setNameOf, tagsOf } from '../shared/members.ts';
import { optimesOf, optimesOfMember } from '../shared/optimes.ts';
import { inspecting } from '../shared/presets.ts';

const HEARTBEAT_MS = 2_000n;
/** The server's numbers of member states. */
const states = {
  PRIMARY: { state: 1, stateStr: 'PRIMARY', health: 1 },
  SECONDARY: { state: 2, stateStr: 'SECONDARY', health: 1 },
  ROUTER: { state: 1, stateStr: 'ROUTER', health: 1 },
  DOWN: { state: 8, stateStr: '(not reachable/healthy)', health: 0 },
} as const;

const replSetGetStatus = command({
  name: 'replSetGetStatus',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'replSetGetStatus' }],
  fields: { replSetGetStatus: 'any', initialSync: 'any' },
  run(_args, { caller }, cluster) {
    const own = cluster.topology.members.find(({ id }) => id === caller.member);
    const members = membersOfShard(cluster.topology.members, own?.shard ?? 0);
    const voters = members.filter(isVoter).length;
    const majority = Math.floor(voters / 2) + 1;
    return {
      set: setNameOf(cluster.topology, own?.shard ?? 0),
      date: new Date(cluster.clock.now()),
      myState: states[own?.state ?? 'PRIMARY'].state,
      term: BigInt(cluster.topology.term),
      ...syncSourceOf(own, members),
      heartbeatIntervalMillis: HEARTBEAT_MS,
      majorityVoteCount: majority,
      writeMajorityCount: majority,
      votingMembersCount: voters,
      writableVotingMembersCount: voters,
      ...optimesOf(cluster),
      members: members.map((member) => statusOf(member, members, caller.member, cluster)),
    };
  },
});

function statusOf(
  member: ClusterMember,
  members: readonly ClusterMember[],
  self: string,
  cluster: ClusterContext,
): object {
  const { id, state } = member;
  const { health, ...named } = states[state];
  const now = new Date(cluster.clock.now());
  return {
    _id: members.indexOf(member),
    name: addressOf(member),
    health,
    ...named,
    uptime: health === 1 ? cluster.clock.uptime() : 0,
    ...(state === 'PRIMARY' ? electionOf(cluster) : {}),
    ...optimesOfMember(member, cluster),
    ...(id === self
      ? {}
      : { lastHeartbeat: now, ...(health === 1 ? { lastHeartbeatRecv: now } : {}), pingMs: 0n }),
    lastHeartbeatMessage: health === 1 ? '' : `Error connecting to ${addressOf(member)}`,
    ...syncSourceOf(member, members),
    infoMessage: '',
    configVersion: cluster.topology.configVersion,
    configTerm: cluster.topology.term,
    ...(id === self ? { self: true } : {}),
  };
}

/** Returns the time of the election of the primary. */
function electionOf({ electedAt }: ClusterContext): object {
  const date = new Date(electedAt);
  return { electionTime: new Timestamp({ t: Math.floor(electedAt / 1000), i: 1 }), electionDate: date };
}

/** Returns the sync source of a member. Secondaries name the primary, even though the members share their data. */
function syncSourceOf(member: ClusterMember | undefined, members: readonly ClusterMember[]): object {
  const primary =
    member?.state === 'SECONDARY' ? members.find(({ state }) => state === 'PRIMARY') : undefined;
  return primary === undefined
    ? { syncSourceHost: '', syncSourceId: -1 }
    : { syncSourceHost: addressOf(primary), syncSourceId: members.indexOf(primary) };
}

const replSetGetConfig = command({
  name: 'replSetGetConfig',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'replSetGetConfig' }],
  fields: { replSetGetConfig: 'any', commitmentStatus: 'truth' },
  run({ commitmentStatus }, { caller }, { topology }) {
    const own = topology.members.find(({ id }) => id === caller.member);
    if (commitmentStatus === true && own?.state === 'SECONDARY') {
      throw new ServerError('NotWritablePrimary', 'commitmentStatus is only supported on primary.');
    }
    return {
      config: configOfSet(topology, own?.shard ?? 0),
      ...(commitmentStatus === true ? { commitmentStatus: true } : {}),
    };
  },
});

/** The server's defaults. */
const settings = {
  chainingAllowed: true,
  heartbeatIntervalMillis: Number(HEARTBEAT_MS),
  heartbeatTimeoutSecs: 10,
  electionTimeoutMillis: 10_000,
  catchUpTimeoutMillis: -1,
  catchUpTakeoverDelayMillis: 30_000,
  getLastErrorModes: {},
  getLastErrorDefaults: { w: 1, wtimeout: 0 },
};

/** Returns the configuration of a shard's replica set, or of the only replica set. */
export function configOfSet(topology: Topology, shard: number) {
  const { configVersion, term, members } = topology;
  return {
    _id: setNameOf(topology, shard),
    version: configVersion,
    term,
    members: membersOfShard(members, shard).map(configOf),
    protocolVersion: 1n,
    writeConcernMajorityJournalDefault: true,
    settings,
  };
}

function configOf(member: ClusterMember, index: number): object {
  const { hidden, priority } = member;
  return {
    _id: index,
    host: addressOf(member),
    arbiterOnly: false,
    buildIndexes: true,
    hidden: hidden === true,
    priority,
    tags: tagsOf(member),
    secondaryDelaySecs: 0n,
    votes: isVoter(member) ? 1 : 0,
  };
}

export const replicaSetCommands: readonly Command[] = [replSetGetStatus, replSetGetConfig];
