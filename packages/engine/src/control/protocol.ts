/**
 * The control protocol between a service and an engine host, over TCP or TLS. The host greets, both sides prove that
 * they hold the token of `host.json`, then calls and replies follow, one line of JSON each, matched by `id`. A transfer
 * has a connection of its own: bytes in one direction follow the line of its call (`Channel.bytes`), then the reply.
 */

/** 7: commands of people. 6: copies in steps. 5: the oplog. 4: encryption. 3: snapshots. 2: logs are a transfer. Hosts of version 1 understand `stop` in the same form. */
export const PROTOCOL_VERSION = 7;
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

/** The start settings of a host, which do not change. */
export interface HostSettings {
  /** Absolute. */
  readonly dataDir: string;
  /** The address that members listen on. */
  readonly listen: string;
  /** The host name that drivers are given. */
  readonly advertise: string;
  /** Members with names are known by these below this domain, instead of `advertise`. */
  readonly domain?: string;
  readonly ports: PortRange;
  /** The absolute path of the folder of the master keys of encrypted clusters. */
  readonly keyFolder: string;
  /** Members accept TLS only, and no connection until `setTls` has set a certificate. */
  readonly tls?: true;
}

/** Members use free ports from `first` to `to`, then from `from` on. */
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
