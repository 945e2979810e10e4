/**
 * The start of a service, step by step. For each step that opens something, the caller passes the result to
 * `undo.adopt(…)` with the function that closes it. When the service stops, or when a later step fails, the steps are
 * undone in reverse order. `openService` performs the steps of the process. `openInstance` starts the engine host,
 * and continues in `open-parts.ts`. A restore calls `openInstance` again, since it replaces the database while the
 * port stays open.
 */
import type { StartHost } from '@portolan/engine/management';
import { machineClock } from '@portolan/foundation/clock';
import { logOutput } from '@portolan/foundation/log-output';
import { pino } from 'pino';
import type { Seeds } from '../resources/services.ts';
import { finishExchange, tidyStates } from '../states/exchange.ts';
import type { Surroundings } from './open-parts.ts';
import { endProcess, type Service, serviceOf } from './service.ts';
import { type ServiceInstance, ServiceInstances } from './service-instances.ts';
import type { Config } from './settings.ts';
import { takeDataDirectory } from './steps/data-directory.ts';
import { openEngine, startEngine, stopEngine } from './steps/engine.ts';
import { configuredKeyPair } from './steps/key-pair.ts';
import { checkListen } from './steps/listening.ts';

/** The parts that come from the program that starts a service. */
interface Hosting {
  /** Applies the seeds of operators. By default, operators cannot apply seeds. */
  readonly seeds?: Seeds;
  /** How the engine host is started; by default as a process that may outlive the service. */
  readonly startHost?: StartHost;
}

const noSeeds: Seeds = { last: () => undefined, begin: async () => undefined };

/**
 * Builds and starts a service. Resolves when the service is ready: the store is migrated, the engine host runs, and
 * the port is open. If a step fails, undoes the earlier steps and throws a `ConfigError` or `StoreError` with a
 * message for the operator.
 */
export async function openService(
  config: Config,
  { startHost, seeds = noSeeds }: Hosting = {},
): Promise<Service> {
  await using undo = new AsyncDisposableStack();
  const pair = configuredKeyPair(config);
  await checkListen(config);
  const directory = undo.adopt(await takeDataDirectory(config), (directory) => directory.close());
  const dataDirectory = directory.path;
  await finishExchange(dataDirectory);
  await tidyStates(dataDirectory);
  const log = pino({ level: config['log-level'], base: { pid: process.pid } }, logOutput());
  const instances = new ServiceInstances(
    machineClock(),
    (slot) => openInstance({ config, pair, dataDirectory, log, slot, startHost, seeds }),
    (error) => endProcess(log, error),
  );
  await instances.begin();
  undo.defer(() => instances.end());
  return serviceOf(instances, dataDirectory, undo.move());
}

async function openInstance(given: Surroundings): Promise<ServiceInstance> {
  const { config, slot } = given;
  await using undo = new AsyncDisposableStack();
  const engine = undo.adopt(openEngine(given), (engine) => stopEngine(engine, config, slot));
  // The start of the engine host takes longest, so this process loads the other modules meanwhile. Loading blocks the
  // thread. Wait for one turn of the event loop first, in which the process of the engine host is created. With
  // `keep-clusters`, the engine host is started only after the configuration and the data have been checked.
  const engineStarted = config['keep-clusters'] ? undefined : startEngine(engine);
  await new Promise((resolve) => setImmediate(resolve));
  const { openParts } = await import('./open-parts.ts');
  return await openParts({ ...given, engine, engineStarted }, undo);
}
