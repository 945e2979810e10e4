import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartHost } from '@portolan/engine/management';
import { machineClock } from '@portolan/foundation/clock';
import { ConfigError } from '@portolan/foundation/command-line';
import type { Log } from '@portolan/foundation/log';
import { logOutput } from '@portolan/foundation/log-output';
import { errorMessage } from '@portolan/foundation/thrown';
import { pino } from 'pino';
import { assertKeyPair, type KeyPair } from '../access/index.ts';
import type { States } from '../resources/services.ts';
import { finishExchange, tidyStates } from '../states/exchange.ts';
import { openDataDirectory } from '../store/index.ts';
import type { Bootstrap } from './bootstrap.ts';
import type { Config } from './config.ts';
import { checkListen } from './listening.ts';
import { openServiceInstance } from './open-service-instance.ts';
import type { OwnCall } from './own-calls.ts';
import { type ServiceInstance, ServiceInstances } from './service-instances.ts';

/** A running service. */
export interface Service {
  readonly bootstrap: Bootstrap;
  /** Whether this is its first start. */
  readonly isNew: boolean;
  readonly dataDirectory: string;
  /** Saves and restores the service. Do not keep this object, since a restore replaces it. */
  readonly states: States;
  /** Calls its API as its first service account. */
  readonly call: OwnCall;
  readonly organization: ServiceInstance['organization'];
  /** Runs a database command with all privileges, on whichever host the cluster is. */
  readonly run: ServiceInstance['run'];
  /**
   * Completes requests in flight, stops tasks and (unless it is kept) the engine host, and unlocks the data directory.
   */
  close(): Promise<void>;
}

/** How the engine host is started; by default as a process that may outlive the service. */
interface Hosting {
  readonly startHost?: StartHost;
}

/**
 * Builds and starts a service. Resolves when it is ready: store migrated, engine host running, port open.
 * Throws a `ConfigError` or `StoreError` with a message for the operator, after cleaning up.
 */
export async function openService(config: Config, { startHost }: Hosting = {}): Promise<Service> {
  const pair = keyPair(config);
  await checkListen(config);
  await using stack = new AsyncDisposableStack();
  const dataDirectory = await takeDataDirectory(config, stack);
  await finishExchange(dataDirectory);
  await tidyStates(dataDirectory);
  const log = pino({ level: config['log-level'], base: { pid: process.pid } }, logOutput());
  const instances = new ServiceInstances(
    machineClock(),
    (slot) => openServiceInstance({ config, pair, dataDirectory, log, slot, startHost }),
    (error) => endLost(log, error),
  );
  await instances.begin();
  stack.defer(() => instances.end());
  const running = stack.move();
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
    run: (...command) => instances.current.run(...command),
    close: () => running.disposeAsync(),
  };
}

/**
 * Ends the process with an error that the operator sees. The former state is in place, or the next start
 * restores it.
 */
function endLost(log: Log, error: unknown): void {
  const reason = errorMessage(error);
  log.error(
    { reason },
    'the service stops: neither the state nor the former data can be opened; restart it to restore the former data',
  );
  process.exit(1);
}

async function takeDataDirectory(config: Config, stack: AsyncDisposableStack): Promise<string> {
  if (!config.ephemeral) {
    const directory = openDataDirectory(config['data-dir']);
    stack.defer(() => directory.close());
    return directory.path;
  }
  const path = await mkdtemp(join(tmpdir(), 'portolan-'));
  stack.defer(() => rm(path, { recursive: true, force: true }));
  return path;
}

function keyPair(config: Config): KeyPair | undefined {
  const publicKey = config['public-key'];
  const privateKey = config['private-key'];
  if (publicKey === undefined || privateKey === undefined) return undefined;
  try {
    assertKeyPair({ publicKey, privateKey });
  } catch (error) {
    throw new ConfigError(`--public-key and --private-key: ${(error as Error).message}`);
  }
  return { publicKey, privateKey };
}
