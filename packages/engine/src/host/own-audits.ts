import { isDeepStrictEqual } from 'node:util';
import { addressOf, membersOfShard } from '../commands/shared/members.ts';
import type { MemberSpec } from '../interface/engine.ts';
import type { OwnAudit } from '../observe/journal.ts';
import { isStopped } from './election.ts';
import type { DeploymentRecord } from './record.ts';
import { hostsOf, type Naming } from './topology.ts';

/** This file creates the audit events that members record about changes of their deployment. */

/** Returns startup or shutdown events of the running members. */
export function lifeAudits(record: DeploymentRecord, atype: 'startup' | 'shutdown'): OwnAudit[] {
  const running = record.spec.members.filter(({ id }) => !isStopped(record, id));
  return running.map(({ id: member }) => ({ member, atype, param: {} }));
}

/** Returns the events for a change of members in replica sets, or of shards in a sharded cluster. */
export function changeAudits(before: DeploymentRecord, after: DeploymentRecord, naming: Naming): OwnAudit[] {
  const audits = shardNumbers(after).flatMap((shard) => reconfigured(before, after, shard, naming));
  const router = after.spec.members.find(({ id, kind }) => kind === 'router' && !isStopped(after, id));
  if (router === undefined) return audits;
  const [known, wanted] = [before, after].map((record) =>
    shardNumbers(record).map((shard) => setOf(record, shard, naming)),
  );
  const added = wanted?.filter(({ _id }) => !known?.some((other) => other._id === _id)) ?? [];
  const removed = known?.filter(({ _id }) => !wanted?.some((other) => other._id === _id)) ?? [];
  const event = (atype: string, param: object) => ({ member: router.id, atype, param });
  return [
    ...audits,
    ...added.map(({ _id, members }) =>
      event('addShard', {
        shard: _id,
        connectionString: `${_id}/${members.map(({ host }) => host).join(',')}`,
        maxSize: 0,
      }),
    ),
    ...removed.map(({ _id }) => event('removeShard', { shard: _id })),
  ];
}

function shardNumbers({ spec }: DeploymentRecord): number[] {
  return [...new Set(spec.members.map(({ shard }) => shard))].sort((a, b) => a - b);
}

/**
 * Returns the audit event for a change of the replica set configuration. The primary records the event. If there is no
 * primary, another running member records the event.
 */
function reconfigured(
  before: DeploymentRecord,
  after: DeploymentRecord,
  shard: number,
  naming: Naming,
): OwnAudit[] {
  const old = setOf(before, shard, naming);
  const next = setOf(after, shard, naming);
  // A new replica set has no previous configuration.
  if (old.members.length === 0 || isDeepStrictEqual(old.members, next.members)) return [];
  const members = nodesOf(after, shard);
  const source =
    members.find(({ id }) => after.primaries.includes(id)) ?? members.find(({ id }) => !isStopped(after, id));
  return source === undefined
    ? []
    : [{ member: source.id, atype: 'replSetReconfig', param: { old, new: next } }];
}

function setOf(record: DeploymentRecord, shard: number, naming: Naming) {
  const { spec, configVersion, ports } = record;
  return {
    _id: spec.shardNames?.[shard] ?? spec.replicaSetName,
    version: configVersion,
    members: nodesOf(record, shard).map((member, number) => {
      const [host] = hostsOf(member, naming);
      const { id, priority } = member;
      return { _id: number, host: addressOf({ host, port: ports[id] ?? 0 }), priority };
    }),
  };
}

function nodesOf({ spec }: DeploymentRecord, shard: number): MemberSpec[] {
  return membersOfShard(spec.members, shard).filter(({ kind }) => kind !== 'router');
}
