import type { ServerOptions } from 'node:https';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { Access } from '../access/index.ts';
import type { Store } from '../store/index.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { InjectFault } from './fault-injection.ts';
import type { Limits } from './http/limits.ts';
import type { RequestGate } from './http/request-gate.ts';
import type { Inspector } from './inspect/inspector.ts';
import type { Mount } from './mounts.ts';
import type { AnyOperation, PathParameter } from './operation.ts';
import type { RateCounter } from './rates/rates.ts';
import type { SessionAuthenticator } from './sessions.ts';

/** The services that the HTTP layer itself needs. */
export interface EdgeServices {
  readonly store: Store;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
  /**
   * The URL of the service: `https://127.0.0.1:8443`. It must be read for each request, since the port 0 is replaced by
   * a real port only when the server listens.
   */
  readonly publicUrl: string;
  /** Records calls for the operator. Without it, no calls are recorded. */
  readonly inspector?: Inspector | undefined;
}

export interface ApiOptions<Services extends EdgeServices = EdgeServices> {
  readonly operations: readonly AnyOperation<Services>[];
  /** Forms of the API in addition to the neutral one. */
  readonly dialects?: readonly Dialect[];
  /** Path parameters by name. */
  readonly parameters: Readonly<Record<string, PathParameter>>;
  readonly services: Services;
  readonly access: Pick<Access, 'authenticate' | 'authenticateOperator' | 'recordUse' | 'recordRequest'>;
  /** Authenticates requests of the console by their session. Without it, there are no sessions. */
  readonly sessions?: SessionAuthenticator | undefined;
  /** Endpoints that are not operations: tokens, documents. */
  readonly mounts?: readonly Mount[];
  /**
   * Certificate and key. Without them, the server uses plain HTTP. Call `api.server.setSecureContext` to replace
   * them.
   */
  readonly tls?: ServerOptions;
  /**
   * Forwards requests from the server to the current `Edge`. Required if another `Edge` can replace this one.
   * See `RequestGate`.
   */
  readonly requestGate?: RequestGate;
  readonly limits?: Partial<Limits>;
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies?: readonly string[];
  /** Whether to reject a request to v2 without a version in `Accept`. */
  readonly strictVersions?: boolean;
  /** Ids and tags of operations that are rate-limited although their declarations set no rate limit. */
  readonly rateLimited?: readonly string[];
  /** Counts requests for the rate limit; by default in memory, or in the store if instances share it. */
  readonly rates?: RateCounter;
  /** Looks up the declared fault of a request. Without it, there are no faults. */
  readonly injectFault?: InjectFault | undefined;
  /** Returns why the service is not ready; undefined if it is ready. */
  readonly trouble?: () => Promise<string | undefined>;
  readonly build?: { readonly version: string; readonly commit: string };
}
