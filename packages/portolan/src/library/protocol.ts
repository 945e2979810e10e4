/** What `start()` and the companion that runs services exchange (the form of the messages: the engine's `protocol.ts`). */

export interface ServiceRequest {
  /** By their names in docs/settings.md. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** 0 picks a free one. */
  readonly port: number;
  readonly tls: boolean;
  /** The path of a seed file, or what would be in it. */
  readonly seed?: string | object | undefined;
}

/** What callers of a service need. */
export interface ServiceFacts {
  readonly id: string;
  readonly url: string;
  readonly orgId: string;
  readonly groupId: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly operatorToken: string;
  /** The path of a PEM file; absent without TLS. */
  readonly caCertificate?: string;
}

export interface ClusterRequest {
  readonly id: string;
  readonly groupId?: string | undefined;
  readonly name: string;
}

/** The calls of the companion that runs services. */
export interface ServiceCalls {
  startService(request: ServiceRequest): Promise<ServiceFacts>;
  /** Everything is as it was after the start, at the same address and with the same credentials. */
  resetService(request: { readonly id: string }): Promise<void>;
  closeService(request: { readonly id: string }): Promise<void>;
  /** The connection string of a cluster that is `IDLE`, or is on its way there. */
  connectionString(request: ClusterRequest): Promise<string>;
  /** Makes a cluster, lets this machine in, and makes a user; the connection string logs in as that user. */
  createCluster(
    request: ClusterRequest & { readonly body: Readonly<Record<string, unknown>> },
  ): Promise<string>;
}
