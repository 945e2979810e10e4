/**
 * The control protocol between a service and an engine host, over TCP or TLS. The host greets, both sides prove that
 * they hold the token of `host.json`, then calls and answers follow, a line of JSON each, matched by `id`. A transfer
 * has a connection of its own: behind the line of its call come bytes one way (`Channel.bytes`), and the answer.
 */

/** 5: the oplog. 4: encryption. 3: snapshots. 2: logs are a transfer. Hosts of version 1 understand `stop` in the same form. */
export const PROTOCOL_VERSION = 5;
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
  /** The name that drivers are given. */
  readonly advertise: string;
  /** Members that have names are known by these below it, in place of `advertise`. */
  readonly domain?: string;
  readonly ports: PortRange;
  /** Where the master keys of encrypted clusters are, absolute. */
  readonly keyFolder: string;
  /** Members speak TLS alone, and to nobody until `setTls` has brought a certificate. */
  readonly tls?: true;
}

/** Members take free ports from `first` to `to`, then from `from` on. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
  readonly first: number;
}

export interface ControlRequest {
  readonly id: number;
  readonly call: string;
  readonly args: readonly unknown[];
}

export type ControlReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };
