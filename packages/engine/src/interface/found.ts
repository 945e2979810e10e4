import type { EngineName, ServerFact } from './capabilities.ts';

/** What an engine has found out about servers that it did not start. It can change at any time. */
export interface FoundServers {
  readonly engine: EngineName;
  readonly facts: readonly ServerFact[];
  readonly topology: 'REPLICA_SET' | 'SHARDED' | 'STANDALONE';
  /** `8.0.12` */
  readonly version: string;
  /** The product, if the server names it: `FerretDB`. */
  readonly product?: string;
  /** The name of the replica set of each shard; none for a standalone server. */
  readonly replicaSets: readonly string[];
  readonly members: readonly FoundMember[];
  /** Whether drivers connect with TLS. */
  readonly tls: boolean;
  /** The host of the SRV record in its connection string, if it has one. */
  readonly srvHost?: string;
  /** Of each member. */
  readonly maxConnections?: number;
  /** The machine of the first server that reports it. */
  readonly machine?: FoundMachine;
}

export interface FoundMember {
  /** As in the specification of a deployment: `shard-00-00`, `router-00-00`. */
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
  /** Absent if the servers do not report it. */
  readonly diskBytes?: number;
}
