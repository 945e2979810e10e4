import type { Access, CallerAddress } from '../access/index.ts';
import type { Store } from '../store/index.ts';
import type { ResponseCache } from './answer/response-cache.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { InjectFault } from './fault-injection.ts';
import type { BodyBudget } from './http/body-budget.ts';
import type { Limits } from './http/limits.ts';
import type { OriginFinder } from './http/origin.ts';
import type { ReplyBudget } from './http/reply-budget.ts';
import type { Metrics } from './observe/metrics.ts';
import type { EdgeServices } from './options.ts';
import type { RateCounter } from './rates/rates.ts';
import type { MountTable } from './routes/mount-table.ts';
import type { RouteTable } from './routes/route-table.ts';
import type { SurfaceFinder } from './routes/surface.ts';
import type { SessionAuthenticator } from './sessions.ts';
import type { ScopeFinder } from './steps/scope.ts';

/** Objects that the steps of every request use. There is one `Edge` per service. */
export interface Edge {
  readonly services: EdgeServices;
  readonly read: Store['read'];
  readonly write: Store['write'];
  readonly access: Pick<Access, 'authenticate' | 'authenticateOperator' | 'recordUse' | 'recordRequest'>;
  readonly sessions: SessionAuthenticator | undefined;
  readonly callerAddress: CallerAddress;
  readonly originOf: OriginFinder;
  readonly findScope: ScopeFinder;
  readonly surfaceOf: SurfaceFinder;
  /**
   * Returns the routes of a dialect. The routes of the neutral dialect are built in advance, those of other dialects
   * on first use.
   */
  readonly tableOf: (dialect: Dialect) => RouteTable;
  readonly mounts: MountTable;
  /** The headers that every response has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly metrics: Metrics;
  /** Whether the server closes each connection after its response. */
  readonly isClosing: () => boolean;
  readonly rates: RateCounter;
  readonly injectFault: InjectFault | undefined;
  readonly responseCache: ResponseCache;
  readonly limits: Limits;
  readonly budget: BodyBudget;
  readonly replies: ReplyBudget;
  readonly strictVersions: boolean;
}
