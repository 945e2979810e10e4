/**
 * The control protocol runs between a service and an engine host, over TCP or TLS. The host sends a greeting, and
 * both sides prove that they have the token of `host.json`. Then the service sends calls and the host sends replies,
 * each as a line of JSON. A reply has the `id` of its call. A transfer has a connection of its own. On it, the
 * service sends the line of the call. Then bytes are sent in one direction (`Channel.bytes`), and finally the host
 * sends the reply.
 */

/**
 * The version of the protocol:
 *
 * - 8: the access history and samples are sent as a transfer, not in a reply
 * - 7: commands that run with the privileges of a user
 * - 6: copies in steps
 * - 5: the oplog
 * - 4: encryption
 * - 3: snapshots
 * - 2: log files are sent as a transfer, not in a reply
 * - 1: the first version, which has the call `stop`
 */
export const PROTOCOL_VERSION = 8;
export const PROTOCOL_NAME = 'portolan-engine';

/**
 * The content of `engine/host.json`, which says how to reach the host of this data directory. The file has mode 0600
 * because of the token.
 */
export interface HostFile {
  readonly protocol: number;
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

/** The first line, from the host to the client. */
export interface Greeting {
  readonly engine: typeof PROTOCOL_NAME;
  readonly protocol: number;
  readonly nonce: string;
}

/** The second line, from the client to the host. */
export interface ClientProof {
  readonly nonce: string;
  readonly proof: string;
}

/** The third line, from the host to the client. */
export interface Welcome {
  readonly proof: string;
  readonly pid: number;
  readonly settings: HostSettings;
}

/** The settings with which a host was started. They do not change while the host runs. */
export interface HostSettings {
  /** The absolute path of the data directory. */
  readonly dataDir: string;
  /** The address on which members listen. */
  readonly listen: string;
  /** The host name of members for drivers. */
  readonly advertise: string;
  /** The domain below which each member has its own host name. If set, `advertise` is not used for members. */
  readonly domain?: string;
  readonly ports: PortRange;
  /** The absolute path of the folder with the master keys of encrypted clusters. */
  readonly keyFolder: string;
  /** Set if members accept only TLS connections. They accept none until `setTls` has set a certificate. */
  readonly tls?: true;
  /**
   * Set if the host stops when the process that started it ends for any reason. The standard input of the host is then
   * a pipe from that process.
   */
  readonly endsWithStarter?: true;
}

/**
 * The ports for members. A member gets the first free port from `first` to `to`. If there is none, it gets the first
 * free port from `from` on.
 */
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
