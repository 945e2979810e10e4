import type { AccessSpec, MemberSpec, TlsProtocol } from '../../engine.ts';

/** What a connection thread knows about a cluster: enough to greet drivers, log them in and turn them away. */
export interface ClusterView {
  readonly clusterId: string;
  readonly replicaSetName: string;
  /** `8.0` */
  readonly majorVersion: string;
  readonly members: readonly MemberView[];
  /** Version of the replica set's configuration; grows with every change of members. */
  readonly configVersion: number;
  /** Grows with every election. */
  readonly term: number;
  /** Users are managed by the service, so commands that change them are refused. */
  readonly managed: boolean;
  readonly access: AccessSpec;
  readonly minimumTlsProtocol?: TlsProtocol;
  /** What the verifiers of unknown users are derived from. */
  readonly decoySecret: string;
}

export interface MemberView extends MemberSpec {
  /** As drivers are told to reach it. */
  readonly host: string;
  readonly port: number;
  readonly state: MemberState;
}

/** `DOWN`: it accepts no connections. */
export type MemberState = 'PRIMARY' | 'SECONDARY' | 'DOWN';

/** Members for reading alone have no vote, so that losing them never costs the primary. */
export function isVoter(member: Pick<MemberSpec, 'kind'>): boolean {
  return member.kind === 'electable';
}

export function isElectable(member: MemberSpec): boolean {
  return isVoter(member) && member.priority > 0 && member.hidden !== true;
}
