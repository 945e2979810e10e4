/**
 * The calls between `start()` and the companion that runs services. The engine's `protocol.ts` defines the form of
 * messages.
 */

export interface ServiceRequest {
  /** Settings by name, as in docs/settings.md. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** The port to listen on; 0 selects a free port. */
  readonly port: number;
  readonly tls: boolean;
  /** The path of a seed file, or its content. */
  readonly seed?: string | object | undefined;
}

/** The properties of a running service that callers need. */
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
  /** Restores the state that followed the start, at the same address and with the same credentials. */
  resetService(request: { readonly id: string }): Promise<void>;
  closeService(request: { readonly id: string }): Promise<void>;
  /** Returns the connection string of a cluster once the cluster is `IDLE`. */
  connectionString(request: ClusterRequest): Promise<string>;
  /**
   * Creates a cluster. The first call for a project also creates a database user and an access-list entry for this
   * machine. Returns a connection string with the user's credentials.
   */
  createCluster(
    request: ClusterRequest & { readonly body: Readonly<Record<string, unknown>> },
  ): Promise<string>;
}
