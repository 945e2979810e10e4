import { isDeepStrictEqual } from 'node:util';
import type { HostSettings } from '../control/protocol.ts';
import type { AccessSpec, Deployment, DeploymentSpec, MemberSpec } from '../interface/engine.ts';
import { type ClusterView, type MemberState, type MemberView, UNKNOWN_PORT } from '../wire/view.ts';
import type { ClusterInfo, OwnUsers } from '../worker/protocol.ts';
import { elect, isStopped } from './election.ts';
import type { DeploymentRecord } from './record.ts';

export type Naming = Pick<HostSettings, 'advertise' | 'domain'>;

/** Creates the record of a new deployment. */
export function newRecord(spec: DeploymentSpec, decoySecret: string): DeploymentRecord {
  const { access, ...rest } = spec;
  return elect({
    format: 2,
    spec: rest,
    access,
    ports: {},
    paused: false,
    configVersion: 1,
    term: 0,
    primaries: [],
    decoySecret,
  });
}

/** Returns the record with the members and version of `spec`, without the ports of removed members. */
export function withSpec(record: DeploymentRecord, { access: _, ...spec }: DeploymentSpec): DeploymentRecord {
  if (isDeepStrictEqual(spec, record.spec)) return record;
  const kept = spec.members.filter(({ id }) => record.ports[id] !== undefined);
  const ports = Object.fromEntries(kept.map(({ id }) => [id, record.ports[id] as number]));
  const { stopped: before, ...rest } = record;
  const stopped = before?.filter((id) => spec.members.some((member) => member.id === id)) ?? [];
  const next = { ...rest, spec, ports, configVersion: record.configVersion + 1 };
  return elect(stopped.length === 0 ? next : { ...next, stopped });
}

/**
 * Returns the host names of a member. The replies to a driver contain the first name, unless the driver has connected
 * by another name.
 */
export function hostsOf({ names = [] }: MemberSpec, { advertise, domain }: Naming): [string, ...string[]] {
  const [first, ...others] = domain === undefined ? [] : names.map((name) => `${name}.${domain}`);
  return first === undefined ? [advertise] : [first, ...others];
}

function membersOf(
  record: DeploymentRecord,
  naming: Naming,
): Array<MemberView & { readonly state: MemberState }> {
  return record.spec.members.map((member: MemberSpec) => {
    const [host, ...otherHosts] = hostsOf(member, naming);
    const { names: _, ...rest } = member;
    return {
      ...rest,
      host,
      ...(otherHosts.length === 0 ? {} : { otherHosts }),
      // Report the configured or recorded port even if it is not open yet. Drivers may connect to the first member
      // while the ports of other members are still being opened.
      port: member.port ?? record.ports[member.id] ?? UNKNOWN_PORT,
      state: stateOf(record, member),
    };
  });
}

function stateOf(record: DeploymentRecord, { id: memberId, kind }: MemberSpec): MemberState {
  if (isStopped(record, memberId)) return 'DOWN';
  if (kind === 'router') return 'ROUTER';
  return record.primaries.includes(memberId) ? 'PRIMARY' : 'SECONDARY';
}

/** Returns the members that `next` removes. They are reported to drivers until the drivers have disconnected. */
export function leavingMembers(
  before: DeploymentRecord,
  next: DeploymentRecord,
  naming: Naming,
): MemberView[] {
  return membersOf(before, naming)
    .filter(({ id, state }) => state !== 'DOWN' && !next.spec.members.some((member) => member.id === id))
    .map((member) => ({ ...member, state: 'LEAVING' }));
}

export function clusterView(record: DeploymentRecord, naming: Naming, own?: OwnUsers): ClusterView {
  const { spec, access, configVersion, term, decoySecret } = record;
  return {
    clusterId: spec.id,
    replicaSetName: spec.replicaSetName,
    ...(spec.shardNames === undefined ? {} : { shardNames: spec.shardNames }),
    majorVersion: spec.majorVersion,
    members: membersOf(record, naming),
    configVersion,
    term,
    managed: spec.ownUsers !== true,
    ...(spec.auditing?.enabled ? { auditing: true } : {}),
    access,
    ...(own === undefined ? {} : { own }),
    ...(record.faults === undefined ? {} : { faults: record.faults }),
    ...minimumTlsProtocol(spec),
    ...(spec.limits === undefined ? {} : { mostConnections: spec.limits.connections }),
    decoySecret,
  };
}

function minimumTlsProtocol(spec: DeploymentRecord['spec']): Pick<ClusterView, 'minimumTlsProtocol'> {
  const minimum = spec.minimumTlsProtocol ?? spec.arguments?.minimumEnabledTlsProtocol;
  return minimum === undefined ? {} : { minimumTlsProtocol: minimum };
}

export function clusterInfo(record: DeploymentRecord, naming: Naming): ClusterInfo {
  const { spec, configVersion, term } = record;
  const { replicaSetName, version } = spec;
  return {
    replicaSetName,
    ...(spec.shardNames === undefined ? {} : { shardNames: spec.shardNames }),
    version,
    configVersion,
    term,
    members: membersOf(record, naming),
    ...(spec.arguments === undefined ? {} : { arguments: spec.arguments }),
    ...(spec.auditing === undefined ? {} : { auditing: spec.auditing }),
    ...(spec.ownUsers ? { testCommands: true } : {}),
    ...(spec.limits === undefined ? {} : { diskBytes: spec.limits.disk }),
    access: accessOf(record.access),
  };
}

/** Returns the part of the access settings that query threads need: without the SCRAM verifiers of users. */
function accessOf({ users, customRoles = [] }: AccessSpec): Exclude<ClusterInfo['access'], undefined> {
  return { users: users.map(({ scram: _, ...user }) => user), customRoles };
}

/**
 * Returns the addresses of the members. Each address consists of the advertised host and the port of the member, even
 * if the member has other host names.
 */
export function memberAddresses(record: DeploymentRecord, advertise: string): Deployment['members'] {
  return membersOf(record, { advertise })
    .filter(({ port }) => port !== UNKNOWN_PORT)
    .map(({ id, host, port }) => ({ id, host, port }));
}
