import type { Access, CallerAddress } from '../access/index.ts';
import type { Store } from '../store/index.ts';
import type { KeptTexts } from './answer/kept-texts.ts';
import type { BodyRoom } from './http/body-room.ts';
import type { Limits } from './http/limits.ts';
import type { OriginFinder } from './http/origin.ts';
import type { Interfere } from './interference.ts';
import type { EdgeServices } from './options.ts';
import type { RateCounter } from './rates/rates.ts';
import type { RouteTable } from './routes/route-table.ts';
import type { ScopeFinder } from './steps/scope.ts';

/** What the steps of a request work with; one per service. */
export interface Edge {
  readonly services: EdgeServices;
  readonly read: Store['read'];
  readonly write: Store['write'];
  readonly access: Pick<Access, 'authenticate' | 'authenticateOperator' | 'recordUse' | 'recordRequest'>;
  readonly callerAddress: CallerAddress;
  readonly originOf: OriginFinder;
  readonly findScope: ScopeFinder;
  readonly table: RouteTable;
  /** Methods of what stands beside the operations at a path; empty: there is no such path. */
  readonly mountedMethods: (path: string) => readonly string[];
  readonly rates: RateCounter;
  readonly interfere: Interfere | undefined;
  readonly kept: KeptTexts;
  readonly limits: Limits;
  readonly room: BodyRoom;
  readonly strictVersions: boolean;
}
