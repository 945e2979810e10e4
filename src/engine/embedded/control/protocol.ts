import type { ClockSetting } from '../../../runtime/clock.ts';
import type { Certificate } from '../../../runtime/tls/certificate.ts';
import type {
  AccessAttempt,
  AccessHistoryQuery,
  AccessSpec,
  Deployment,
  DeploymentSpec,
  LogName,
  MemberSample,
  TroubledDeployment,
} from '../../engine.ts';

/**
 * The control protocol between a service and an engine host: one JSON document per line over TCP. The host greets,
 * both sides prove that they hold the token of `host.json`, then calls and answers follow, matched by `id`.
 */

export const PROTOCOL_VERSION = 1;
export const PROTOCOL_NAME = 'portolan-engine';

/** `engine/host.json`: how to reach the host of this data directory. Mode 0600, because of the token. */
export interface HostFile {
  readonly protocol: number;
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

/** Host to client, first line. */
export interface Greeting {
  readonly engine: typeof PROTOCOL_NAME;
  readonly protocol: number;
  readonly nonce: string;
}

/** Client to host, second line. */
export interface ClientProof {
  readonly nonce: string;
  readonly proof: string;
}

/** Host to client, third line. */
export interface Welcome {
  readonly proof: string;
  readonly pid: number;
  readonly settings: HostSettings;
}

/** What a host is started with, and keeps until it ends. */
export interface HostSettings {
  /** Absolute. */
  readonly dataDir: string;
  /** The address that members listen on. */
  readonly listen: string;
  /** The name that drivers are told. */
  readonly advertise: string;
  readonly ports: PortRange;
  /** Members speak TLS alone, and to nobody until `setTls` has brought a certificate. */
  readonly tls?: true;
}

/** Members take free ports from `first` to `to`, then from `from` on. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
  readonly first: number;
}

/** What a service may ask; every call but `stop` may be repeated. */
export interface ControlCalls {
  provision(spec: DeploymentSpec): Promise<Deployment>;
  reconfigure(spec: DeploymentSpec): Promise<Deployment>;
  pause(id: string): Promise<Deployment>;
  resume(id: string): Promise<Deployment>;
  remove(id: string): Promise<null>;
  describe(id: string): Promise<Deployment | null>;
  troubled(): Promise<readonly TroubledDeployment[]>;
  stopMember(id: string, memberId: string): Promise<Deployment>;
  startMember(id: string, memberId: string): Promise<Deployment>;
  failover(id: string, from?: string): Promise<Deployment>;
  setAccess(id: string, access: AccessSpec): Promise<Deployment>;
  /** Both are BSON documents in base64. */
  run(id: string, command: string): Promise<string>;
  accessHistory(id: string, query: AccessHistoryQuery): Promise<readonly AccessAttempt[]>;
  logs(id: string, memberId: string, log: LogName, from: number, to: number): Promise<string>;
  metrics(id: string, memberId: string, from: number, to: number): Promise<readonly MemberSample[]>;
  setClock(setting: ClockSetting): Promise<null>;
  /** The key is kept in memory only, so it is sent to every new host. */
  setTls(certificate: Certificate): Promise<null>;
  status(): Promise<HostStatus>;
  /** Closes every port, brings the files in order and ends the process; answered before it is gone. */
  stop(): Promise<null>;
}

export type ControlCall = keyof ControlCalls;

export interface HostStatus {
  readonly pid: number;
  readonly deployments: number;
  /** Bytes of memory that the process holds. */
  readonly rss: number;
}

export interface ControlRequest<C extends ControlCall = ControlCall> {
  readonly id: number;
  readonly call: C;
  readonly args: Parameters<ControlCalls[C]>;
}

export type ControlReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };
