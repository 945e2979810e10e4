import type { ServerOptions } from 'node:https';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { Access } from '../access/index.ts';
import type { Store } from '../store/index.ts';
import type { Front } from './http/front.ts';
import type { Limits } from './http/limits.ts';
import type { Interfere } from './interference.ts';
import type { Mount } from './mounts.ts';
import type { AnyOperation, PathParameter } from './operation.ts';
import type { PlannedOperation } from './planned/index.ts';
import type { RateCounter } from './rates/rates.ts';

/** What the edge itself needs of the services that handlers get. */
export interface EdgeServices {
  readonly store: Store;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
  /** Where callers reach the service: `https://127.0.0.1:8443`. Read per request: a port of 0 is known late. */
  readonly publicUrl: string;
}

export interface ApiOptions<Services extends EdgeServices = EdgeServices> {
  readonly operations: readonly AnyOperation<Services>[];
  /** Operations that are to come: those that none of `operations` covers answer 501. */
  readonly planned?: readonly PlannedOperation[];
  /** What the names in paths stand for. */
  readonly parameters: Readonly<Record<string, PathParameter>>;
  readonly services: Services;
  readonly access: Pick<Access, 'authenticate' | 'authenticateOperator' | 'recordUse' | 'recordRequest'>;
  /** What is reached beside the operations: tokens, documents. */
  readonly mounts?: readonly Mount[];
  /** Certificate and key; absent: plain HTTP. `app.server.setSecureContext` renews them. */
  readonly tls?: ServerOptions;
  /** What takes requests from the server and hands them over, where one edge is to follow another; see `Front`. */
  readonly front?: Front;
  readonly limits?: Partial<Limits>;
  /** Addresses and CIDR blocks whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies?: readonly string[];
  /** Whether a request to v2 without a version in `Accept` is refused. */
  readonly strictVersions?: boolean;
  /** Operation ids and tags that are rate limited, besides the operations that say so themselves. */
  readonly rateLimited?: readonly string[];
  /** Counts requests for the rate limit; absent: in memory, or in the store where several instances share it. */
  readonly rates?: RateCounter;
  /** What stands in the way of requests by the operator's wish; absent: nothing ever does. */
  readonly interfere?: Interfere | undefined;
  /** Answers why the service cannot work at the moment; nothing when it can. */
  readonly trouble?: () => Promise<string | undefined>;
  readonly build?: { readonly version: string; readonly commit: string };
}
