import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartHost } from '@portolan/engine/management';
import { machineClock } from '@portolan/foundation/clock';
import { ConfigError } from '@portolan/foundation/command-line';
import type { Log } from '@portolan/foundation/log';
import { logOutput } from '@portolan/foundation/log-output';
import { pino } from 'pino';
import { assertKeyPair, type KeyPair } from '../access/index.ts';
import type { States } from '../resources/services.ts';
import { finishExchange, tidyStates } from '../states/exchange.ts';
import { openDataDirectory } from '../store/index.ts';
import type { Bootstrap } from './bootstrap.ts';
import type { Config } from './config.ts';
import { type Generation, Generations } from './generations.ts';
import { checkListen } from './listening.ts';
import { openGeneration } from './open-generation.ts';
import type { OwnCall } from './own-calls.ts';

/** A service that runs. */
export interface Service {
  readonly bootstrap: Bootstrap;
  /** Whether it was started for the first time. */
  readonly isNew: boolean;
  readonly dataDirectory: string;
  /** Saves it as a whole and brings it back; those of the moment, as each restore is followed by others. */
  readonly states: States;
  /** Calls its API as its first service account. */
  readonly call: OwnCall;
  readonly organization: Generation['organization'];
  /** Runs a database command with every right, wherever the cluster is. */
  readonly run: Generation['run'];
  /** Answers what is under way, ends the tasks and the engine host (unless it is to stay), and frees the data. */
  close(): Promise<void>;
}

/** Where its databases run; in a process that may outlive it when nothing is said. */
interface Hosting {
  readonly startHost?: StartHost;
}

/**
 * Builds a service out of its parts and starts it. Resolves once it truly is ready: store migrated, engine host up,
 * listening. Throws a `ConfigError` or `StoreError` with one clear sentence; what was begun is undone.
 */
export async function openService(config: Config, { startHost }: Hosting = {}): Promise<Service> {
  const pair = keyPair(config);
  await checkListen(config);
  await using stack = new AsyncDisposableStack();
  const dataDirectory = await takeDataDirectory(config, stack);
  await finishExchange(dataDirectory);
  await tidyStates(dataDirectory);
  const log = pino({ level: config['log-level'], base: { pid: process.pid } }, logOutput());
  const generations = new Generations(
    machineClock(),
    (place) => openGeneration({ config, pair, dataDirectory, log, place, startHost }),
    (error) => endLost(log, error),
  );
  await generations.begin();
  stack.defer(() => generations.end());
  const running = stack.move();
  const { isNew } = generations.current;
  return {
    get bootstrap() {
      return generations.current.bootstrap;
    },
    isNew,
    get states() {
      return generations.current.states;
    },
    dataDirectory,
    call: (...call) => generations.current.call(...call),
    organization: (...which) => generations.current.organization(...which),
    run: (...command) => generations.current.run(...command),
    close: () => running.disposeAsync(),
  };
}

/** Whoever started the process is to see it; what was there before is in its place, or put there by the next start. */
function endLost(log: Log, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  log.error(
    { reason },
    'the service ends: neither the state nor what was there before it can be opened; start it again to have the latter',
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
