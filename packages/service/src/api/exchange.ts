import type { Fault } from '@portolan/foundation/faults';
import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Caller, Scope, Session } from '../access/index.ts';
import type { PageRequest } from '../store/page.ts';
import type { HeldReply } from './http/reply-budget.ts';
import type { Mount } from './mounts.ts';
import type { Flag } from './operation.ts';
import type { OperationVersion } from './routes/operation-version.ts';
import type { Route } from './routes/route.ts';
import type { Surface } from './routes/surface.ts';
import type { Format, RawQuery } from './schema/query.ts';

/**
 * One request, and the results of the steps that have run so far. Log lines, metrics and errors are derived from it.
 */
export interface Exchange {
  readonly id: string;
  readonly method: string;
  /** The request target in origin form: path and query. */
  readonly target: string;
  /** The target as sent, if the request line had it in absolute form. */
  readonly absoluteTarget?: string | undefined;
  /** The target without its query. */
  readonly path: string;
  readonly accept: string | undefined;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  /** The header `X-CSRF-Token`, which pages of the console send. */
  readonly csrfToken: string | undefined;
  readonly lastEventId: string | undefined;
  /** The flags that headers declared by the operation set. */
  readonly flags: readonly Flag[];
  readonly address: string;
  /**
   * Whether this process itself sent the request, without a connection. The process sends such requests when it
   * applies a seed, and in test suites.
   */
  readonly isOwn: boolean;
  readonly surface: Surface | undefined;
  /** The origin that the caller used, for links. */
  readonly origin: string;
  readonly query: RawQuery;
  /** Path parameters as the router read them. */
  readonly params: Readonly<Record<string, string>>;
  /** The route; undefined if no path and method match. */
  readonly route: Route | undefined;
  /** The endpoint, if the path belongs to an endpoint that is not an operation (see `mounts.ts`). */
  readonly mount: Mount | undefined;
  readonly format: Format;
  /** Response headers set so far; error responses contain them, too. */
  readonly headers: Record<string, string>;
  caller?: Caller | undefined;
  /** The session of the caller, if the request contains its cookie and no other credentials. */
  session?: Session | undefined;
  served?: OperationVersion;
  admitted?: Admitted;
  /** The body as received, if the operation takes one. */
  received?: Buffer;
  /** Whether a request with a body changes nothing; undefined until the body was read. */
  onlyReads?: boolean | undefined;
  /** The paths of the body's fields that have no effect. */
  unread?: readonly string[];
  /** The part of the memory budget that a large reply holds until the reply is sent. */
  heldReply?: HeldReply | undefined;
  /** The error that the response contains, in the words of the dialect. */
  fault?: Fault;
  /**
   * When a declared fault closes the connection: before or after the operation is performed. Undefined if no fault
   * closes it.
   */
  disconnect?: 'BEFORE' | 'AFTER' | undefined;
}

/** Returns the label of a request in the log and in metrics: the id of the operation or mount, or `none`. */
export function labelOf({ served, route, mount }: Exchange): string {
  return served?.operation.id ?? route?.operation.id ?? mount?.id ?? 'none';
}

/** A request that passed every check before its body is read. */
export interface Admitted {
  readonly caller: Caller | undefined;
  readonly route: Route;
  readonly served: OperationVersion;
  readonly params: Readonly<Record<string, string>>;
  readonly scope: Scope | undefined;
  /** Whose share of the memory for bodies and large replies the request takes. */
  readonly owner: string;
  readonly query: PlainObject;
  readonly page: PageRequest;
}

/** Releases the memory budget of a large reply. Called when the reply was sent, or when it will not be sent. */
export function releaseReply(exchange: Exchange): void {
  exchange.heldReply?.release();
  exchange.heldReply = undefined;
}
