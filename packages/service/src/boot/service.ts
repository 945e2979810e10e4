import type { Log } from '@portolan/foundation/log';
import { errorMessage } from '@portolan/foundation/thrown';
import type { States } from '../resources/services.ts';
import type { Bootstrap } from './bootstrap.ts';
import type { OwnCall } from './own-calls.ts';
import type { ServiceInstance, ServiceInstances } from './service-instances.ts';

export type { SeedResult, SeedRun, Seeds } from '../resources/services.ts';

export interface Service {
  readonly bootstrap: Bootstrap;
  /** Whether this is the first start on its data directory. */
  readonly isNew: boolean;
  readonly dataDirectory: string;
  /** Saves and restores the service. A restore replaces this object, so callers must not keep it. */
  readonly states: States;
  /** Calls the API of the service as the first service account. */
  readonly call: OwnCall;
  readonly organization: ServiceInstance['organization'];
  readonly consoleLink: ServiceInstance['consoleLink'];
  /** Runs a database command with all privileges, on whichever engine host runs the cluster. */
  readonly run: ServiceInstance['run'];
  /**
   * Completes requests in flight, stops tasks and the engine host (unless the host outlives the service), and unlocks
   * the data directory.
   */
  close(): Promise<void>;
}

/** Builds the service of these instances. Closing the service disposes of `running`. */
export function serviceOf(
  instances: ServiceInstances,
  dataDirectory: string,
  running: AsyncDisposableStack,
): Service {
  const { isNew } = instances.current;
  return {
    get bootstrap() {
      return instances.current.bootstrap;
    },
    isNew,
    get states() {
      return instances.current.states;
    },
    dataDirectory,
    call: (...call) => instances.current.call(...call),
    organization: (...which) => instances.current.organization(...which),
    consoleLink: () => instances.current.consoleLink(),
    run: (...command) => instances.current.run(...command),
    close: () => running.disposeAsync(),
  };
}

/**
 * Ends the process with an error for the operator. This happens if neither the restored state nor the
 * previous one can be opened. The next start opens the previous state.
 */
export function endProcess(log: Log, error: unknown): void {
  log.error(
    { reason: errorMessage(error) },
    'the service stops because neither the saved state nor the former data can be opened; the next start restores the former data',
  );
  process.exit(1);
}
