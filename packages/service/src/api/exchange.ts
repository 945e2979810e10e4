import type { Caller, Scope } from '../access/index.ts';
import type { PageRequest } from '../store/page.ts';
import type { Mount } from './mounts.ts';
import type { Route } from './routes/route.ts';
import type { Served } from './routes/served.ts';
import type { Surface } from './routes/surface.ts';
import type { Format, RawQuery } from './schema/query.ts';

/** One request as it came in, and what is found out about it on the way. Log, metrics and errors read it too. */
export interface Exchange {
  readonly id: string;
  readonly method: string;
  /** The request target in origin form: path and query. */
  readonly target: string;
  /** As it stood in the request line, where it stood there in absolute form. */
  readonly absoluteTarget?: string | undefined;
  /** The target without its query. */
  readonly path: string;
  readonly accept: string | undefined;
  readonly authorization: string | undefined;
  readonly address: string;
  /** Whether this process itself asks, over no connection: a seed is applied, or a test suite sets something up. */
  readonly isOwn: boolean;
  readonly surface: Surface | undefined;
  /** Origin as the caller reached it. */
  readonly origin: string;
  readonly query: RawQuery;
  /** Path parameters as the router read them. */
  readonly params: Readonly<Record<string, string>>;
  /** The operation; nothing where no path or method fits. */
  readonly route: Route | undefined;
  /** What it reached that is no operation. */
  readonly mount: Mount | undefined;
  readonly format: Format;
  /** Headers of the answer that are known before it, also where it becomes an error. */
  readonly headers: Record<string, string>;
  caller?: Caller | undefined;
  served?: Served;
  admitted?: Admitted;
  /** The operator wants the connection to be cut before the operation is done, or after it. */
  disconnect?: 'BEFORE' | 'AFTER' | undefined;
}

/** What log and metrics call it: the operation's id. */
export function labelOf({ served, route, mount }: Exchange): string {
  return served?.operation.id ?? route?.operation.id ?? mount?.id ?? 'none';
}

/** A request that passed every check that comes before its body. */
export interface Admitted {
  readonly caller: Caller | undefined;
  readonly route: Route;
  readonly served: Served;
  readonly params: Readonly<Record<string, string>>;
  readonly scope: Scope | undefined;
  readonly query: Readonly<Record<string, unknown>>;
  readonly page: PageRequest;
}
