/**
 * The steps of the start, from opening the data to opening the port. They are in a separate file, which `start-up.ts`
 * loads while the engine host starts.
 */
import { join } from 'node:path';
import type { EmbeddedEngine, StartHost } from '@portolan/engine/management';
import type { Log } from '@portolan/foundation/log';
import { secretBox } from '@portolan/foundation/secret-box';
import { type KeyPair, openAccess } from '../access/index.ts';
import { adoptedEngine, namesFrom } from '../adopted/index.ts';
import { versionOfCopy } from '../resources/clusters/index.ts';
import { adoptions } from '../resources/deployments/index.ts';
import { loadFamilies } from '../resources/load.ts';
import type { Seeds } from '../resources/services.ts';
import { checkFingerprint, storedClock } from '../store/index.ts';
import { firstAccess, writeBootstrap } from './bootstrap.ts';
import { instanceOf } from './instance.ts';
import type { InstanceSlot, ServiceInstance } from './service-instances.ts';
import type { Config } from './settings.ts';
import { openApi, openFaultInjection, presentCertificate } from './steps/api.ts';
import { openCertificate } from './steps/certificate.ts';
import { checkDatabaseExists, openDatabase } from './steps/database.ts';
import { followCertificate, followClock, startEngine } from './steps/engine.ts';
import { openEngineHosts } from './steps/engine-hosts.ts';
import { openToPeers } from './steps/engine-peers.ts';
import { openKubernetesEngine } from './steps/kubernetes.ts';
import { openPort, urlAt } from './steps/listening.ts';
import { readNewEngines } from './steps/new-engines.ts';
import { readSecretKey } from './steps/secret-key.ts';
import { collectServices, openSources } from './steps/services.ts';
import { checkSnapshotStore } from './steps/snapshot-store.ts';
import { startBackground, startSchedules, startTasks } from './steps/work.ts';

/** The objects that the process passes to each instance. */
export interface Surroundings {
  readonly config: Config;
  /** The configured first API key. */
  readonly pair: KeyPair | undefined;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly slot: InstanceSlot;
  readonly startHost: StartHost | undefined;
  readonly seeds: Seeds;
}

interface Opening extends Surroundings {
  readonly engine: EmbeddedEngine;
  /**
   * Settles when the start of the engine host has succeeded or failed. Undefined if nothing has started the engine
   * host yet.
   */
  readonly engineStarted: Promise<void> | undefined;
}

/**
 * Opens everything except the engine. `undo` contains the steps that undo the opening of the engine. The returned
 * instance takes over these steps.
 */
export async function openParts(given: Opening, undo: AsyncDisposableStack): Promise<ServiceInstance> {
  const { config, dataDirectory, engine, log, slot } = given;

  const forNew = await readNewEngines(config);

  // Open the data.
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
  const nameServers = config['dns-servers'];
  const names = nameServers && namesFrom(nameServers);
  const adopted = adoptedEngine(adoptions(base), { ...base, copies, names });
  const kubernetes = undo.adopt(await openKubernetesEngine(config, forNew, base), (engine) =>
    engine?.close(),
  );
  const engines = undo.adopt(
    await openEngineHosts(dataDirectory, { local: engine, adopted, kubernetes, forNew }, base),
    (hosts) => hosts.close(),
  );
  await checkSnapshotStore(config, dataDirectory, base);
  const services = await collectServices({ ...given, families }, { ...base, engines });

  // Open the HTTP layer.
  const engineStarted = given.engineStarted ?? startEngine(engine);
  const access = undo.adopt(await openAccess(services), (access) => access.close());
  const certificate = undo.adopt(await openCertificate(given, services), (served) => served?.source.close());
  const first = await firstAccess(services, given.pair);
  const faultInjection = undo.adopt(openFaultInjection(families, services), (faults) => faults?.close());
  const parts = { ...given, families, services, access, certificate, faultInjection };
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
