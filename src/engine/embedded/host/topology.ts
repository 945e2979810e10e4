import { isDeepStrictEqual } from 'node:util';
import type { Deployment, DeploymentSpec, MemberSpec } from '../../engine.ts';
import type { ClusterView, MemberState, MemberView } from '../wire/view.ts';
import type { ClusterInfo } from '../worker/protocol.ts';
import { elect, isStopped } from './election.ts';
import type { DeploymentRecord } from './record.ts';

/** What the threads, the workers and the service are told about a deployment, out of its record. */

export function newRecord(spec: DeploymentSpec, decoySecret: string): DeploymentRecord {
  const { access, ...rest } = spec;
  return elect({
    format: 1,
    spec: rest,
    access,
    ports: {},
    paused: false,
    configVersion: 1,
    term: 0,
    decoySecret,
  });
}

/** The record with the members and version of `spec`; ports of members that are gone are given up. */
export function withSpec(record: DeploymentRecord, { access: _, ...spec }: DeploymentSpec): DeploymentRecord {
  if (isDeepStrictEqual(spec, record.spec)) return record;
  const kept = spec.members.filter(({ id }) => record.ports[id] !== undefined);
  const ports = Object.fromEntries(kept.map(({ id }) => [id, record.ports[id] as number]));
  const { stopped: before, ...rest } = record;
  const stopped = before?.filter((id) => spec.members.some((member) => member.id === id)) ?? [];
  const next = { ...rest, spec, ports, configVersion: record.configVersion + 1 };
  return elect(stopped.length === 0 ? next : { ...next, stopped });
}

function membersOf(record: DeploymentRecord, advertise: string): MemberView[] {
  return record.spec.members.map((member: MemberSpec) => ({
    ...member,
    host: advertise,
    port: record.ports[member.id] ?? 0,
    state: stateOf(record, member.id),
  }));
}

function stateOf(record: DeploymentRecord, memberId: string): MemberState {
  if (isStopped(record, memberId)) return 'DOWN';
  return memberId === record.primary ? 'PRIMARY' : 'SECONDARY';
}

export function clusterView(record: DeploymentRecord, advertise: string): ClusterView {
  const { spec, access, configVersion, term, decoySecret } = record;
  return {
    clusterId: spec.id,
    replicaSetName: spec.replicaSetName,
    majorVersion: spec.majorVersion,
    members: membersOf(record, advertise),
    configVersion,
    term,
    managed: true,
    access,
    ...(spec.minimumTlsProtocol === undefined ? {} : { minimumTlsProtocol: spec.minimumTlsProtocol }),
    decoySecret,
  };
}

export function clusterInfo(record: DeploymentRecord, advertise: string): ClusterInfo {
  const { spec, configVersion, term } = record;
  const { replicaSetName, version } = spec;
  return { replicaSetName, version, configVersion, term, members: membersOf(record, advertise) };
}

export function memberAddresses(record: DeploymentRecord, advertise: string): Deployment['members'] {
  return membersOf(record, advertise)
    .filter(({ port }) => port !== 0)
    .map(({ id, host, port }) => ({ id, host, port }));
}
