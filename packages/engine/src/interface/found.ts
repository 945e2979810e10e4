import type { EngineName, ServerFact } from './capabilities.ts';
import type { ProcessArguments } from './process-arguments.ts';

/** What an engine has detected about servers that it did not start. Any of these values may change later. */
export interface FoundServers {
  readonly engine: EngineName;
  readonly facts: readonly ServerFact[];
  readonly topology: 'REPLICA_SET' | 'SHARDED' | 'STANDALONE';
  /** The full version, for example `8.0.12`. */
  readonly version: string;
  /** For example `8.0`. Absent if the servers do not report it. */
  readonly featureCompatibilityVersion?: string;
  /** The name of the product, such as `FerretDB`, if the server reports it. */
  readonly product?: string;
  /** The names of the shards' replica sets. Empty for a standalone server. */
  readonly replicaSets: readonly string[];
  readonly members: readonly FoundMember[];
  /** True if drivers connect with TLS. */
  readonly tls: boolean;
  /** The host of the SRV record in the connection string, if it has one. */
  readonly srvHost?: string;
  /**
   * The process arguments that can be changed while the servers run, with their values. A value is null if the members
   * have different values.
   */
  readonly arguments?: FoundArguments;
  /** The connection limit of each member. */
  readonly maxConnections?: number;
  /** The machine of the first server that describes its machine. */
  readonly machine?: FoundMachine;
}

export type FoundArguments = { readonly [Name in keyof ProcessArguments]?: ProcessArguments[Name] | null };

export interface FoundMember {
  /** The id in the specification of the deployment, such as `shard-00-00` or `router-00-00`. */
  readonly id: string;
  readonly shard: number;
  readonly kind: 'electable' | 'readOnly' | 'router';
  readonly priority: number;
  readonly hidden?: boolean;
  readonly host: string;
  readonly port: number;
}

export interface FoundMachine {
  readonly processors: number;
  readonly memoryBytes: number;
  /** Size of the disk in bytes. Absent if the servers do not report it. */
  readonly diskBytes?: number;
}
