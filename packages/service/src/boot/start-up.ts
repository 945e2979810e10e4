/**
 * The start of a service, step by step. For each step that opens something, the caller passes the result to
 * `undo.adopt(…)` with the function that closes it. When the service stops, or when a later step fails, the steps are
 * undone in reverse order. `openService` has the steps of the process. `openInstance` has the steps that a restore
 * repeats, since a restore replaces the database while the port stays open.
 */
import { join } from 'node:path';
import type { StartHost } from '@portolan/engine/management';
import { machineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { logOutput } from '@portolan/foundation/log-output';
import { secretBox } from '@portolan/foundation/secret-box';
import { pino } from 'pino';
import { type KeyPair, openAccess } from '../access/index.ts';
import { adoptedEngine } from '../adopted/index.ts';
import { versionOfCopy } from '../resources/clusters/index.ts';
import { adoptions } from '../resources/deployments/index.ts';
import { loadFamilies } from '../resources/load.ts';
import { finishExchange, tidyStates } from '../states/exchange.ts';
import { checkFingerprint, storedClock } from '../store/index.ts';
import { firstAccess, writeBootstrap } from './bootstrap.ts';
import type { Config } from './config.ts';
import { instanceOf } from './instance.ts';
import { endProcess, type Service, serviceOf } from './service.ts';
import { type InstanceSlot, type ServiceInstance, ServiceInstances } from './service-instances.ts';
import { openApi, openFaultInjection, presentCertificate } from './steps/api.ts';
import { openCertificate } from './steps/certificate.ts';
import { takeDataDirectory } from './steps/data-directory.ts';
import { checkDatabaseExists, openDatabase } from './steps/database.ts';
import { followCertificate, followClock, openEngine, startEngine, stopEngine } from './steps/engine.ts';
import { openEngineHosts } from './steps/engine-hosts.ts';
import { openToPeers } from './steps/engine-peers.ts';
import { configuredKeyPair } from './steps/key-pair.ts';
import { openKubernetesEngine } from './steps/kubernetes.ts';
import { checkListen, openPort, urlAt } from './steps/listening.ts';
import { readSecretKey } from './steps/secret-key.ts';
import { collectServices, openSources } from './steps/services.ts';
import { checkSnapshotStore } from './steps/snapshot-store.ts';
import { startBackground, startSchedules, startTasks } from './steps/work.ts';

/** How the engine host is started; by default as a process that may outlive the service. */
interface Hosting {
  readonly startHost?: StartHost;
}

/**
 * Builds and starts a service. Resolves when the service is ready: the store is migrated, the engine host runs, and the
 * port is open. On failure undoes its steps and throws a `ConfigError` or `StoreError` with a message for the operator.
 */
export async function openService(config: Config, { startHost }: Hosting = {}): Promise<Service> {
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
    (slot) => openInstance({ config, pair, dataDirectory, log, slot, startHost }),
    (error) => endProcess(log, error),
  );
  await instances.begin();
  undo.defer(() => instances.end());
  return serviceOf(instances, dataDirectory, undo.move());
}

/** The objects that the process passes to each instance. */
interface Surroundings {
  readonly config: Config;
  /** The configured first API key. */
  readonly pair: KeyPair | undefined;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly slot: InstanceSlot;
  readonly startHost: StartHost | undefined;
}

async function openInstance(given: Surroundings): Promise<ServiceInstance> {
  const { config, dataDirectory, log, slot } = given;
  await using undo = new AsyncDisposableStack();

  // Open the data.
  const engine = undo.adopt(openEngine(given), (engine) => stopEngine(engine, config, slot));
  const families = await loadFamilies();
  const sources = openSources();
  checkDatabaseExists(given);
  const secrets = secretBox(await readSecretKey(given, sources.random), sources.random);
  const store = undo.adopt(await openDatabase({ ...given, ...sources, families }), (store) => store.close());
  await checkFingerprint(store, secrets);
  const stored = undo.adopt(await storedClock(store, sources.clock, sources.machine), (clock) =>
    clock.close(),
  );
  const base = { ...sources, secrets, store, storedClock: stored, log };
  const copies = { folder: join(dataDirectory, 'staging'), versionOfCopy };
  const adopted = adoptedEngine(adoptions(base), { ...base, copies });
  const kubernetes = undo.adopt(await openKubernetesEngine(config, base), (engine) => engine?.close());
  const forNew = config.engine;
  const engines = undo.adopt(
    await openEngineHosts(dataDirectory, { local: engine, adopted, kubernetes, forNew }, base),
    (hosts) => hosts.close(),
  );
  await checkSnapshotStore(config, dataDirectory, base);
  const services = await collectServices({ ...given, families, engine }, { ...base, engines });

  // Open the HTTP edge. The engine host takes longest to start, so it starts at the same time.
  const engineStarted = startEngine(engine);
  const access = undo.adopt(await openAccess(services), (access) => access.close());
  const certificate = undo.adopt(await openCertificate(given, services), (served) => served?.source.close());
  const first = await firstAccess(services, given.pair);
  const faultInjection = undo.adopt(openFaultInjection(families, services), (faults) => faults?.close());
  const parts = { ...given, families, services, access, engine, certificate, faultInjection };
  const api = undo.adopt(openApi(parts), (api) => slot.endRequests(api));
  presentCertificate(slot.listening ?? api, certificate);

  // Make the clusters available.
  await engineStarted;
  await followCertificate(engine, config, certificate, log);
  await followClock(engine, services.clock, log);
  undo.adopt(await openToPeers(config, dataDirectory, engine, services), (peers) => peers.close());
  await engines.follow();
  if (first.isMade) await services.states.keepFirst();

  // Start background work.
  undo.adopt(await startTasks(families, services, faultInjection), (worker) => worker.stop());
  undo.adopt(await startSchedules(families, services), (schedules) => schedules.stop());
  undo.adopt(await startBackground(families, services), (work) => work.stop());

  // Accept requests.
  await openPort(api, config, slot);
  if (config['public-url'] === undefined) services.publicUrl = urlAt(config, slot);
  const bootstrap = await writeBootstrap(dataDirectory, services.publicUrl, first.access, certificate);
  return instanceOf({ services, api, first, bootstrap }, undo.move());
}
