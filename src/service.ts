import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { type Access, assertKeyPair, openAccess } from './access/index.ts';
import { createApi, type Front } from './api/index.ts';
import { plannedOperations } from './api/planned/index.ts';
import { type Bootstrap, firstAccess, organizationAccess, writeBootstrap } from './bootstrap.ts';
import { buildInfo } from './build-info.ts';
import { openCertificate, type ServiceCertificate } from './certificate.ts';
import { type Config, ConfigError } from './config.ts';
import {
  clustersDirectory,
  createEmbeddedEngine,
  type EmbeddedEngine,
  type StartHost,
} from './engine/index.ts';
import { openEngineHosts } from './engine-hosts.ts';
import { openToPeers } from './engine-peers.ts';
import { type Generation, Generations, type Place } from './generations.ts';
import { EMPTY_DATABASE, migrationsOf } from './migrations.ts';
import { faultTables, mounts } from './mounts.ts';
import { type OwnCall, ownCalls } from './own-calls.ts';
import { clusterById } from './resources/clusters/index.ts';
import type { Family, Interference } from './resources/family.ts';
import { eventTypesOf, handlersOf, operationNamesOf } from './resources/index.ts';
import { loadFamilies } from './resources/load.ts';
import type { Services, States } from './resources/services.ts';
import { machineClock, serviceClock } from './runtime/clock.ts';
import { ids } from './runtime/ids.ts';
import { KeyFolder } from './runtime/keys/key-folder.ts';
import type { Log } from './runtime/log.ts';
import { logOutput } from './runtime/log-output.ts';
import { connectionsWithin, openFileLimit } from './runtime/open-files.ts';
import { openOutgoing } from './runtime/outgoing/outgoing.ts';
import { systemRandom } from './runtime/random.ts';
import { secretBox } from './runtime/secret-box.ts';
import { readSecretKey } from './secret-key.ts';
import { checkSnapshotStore, snapshotStores } from './snapshot-store.ts';
import { finishExchange, tidyStates } from './states/exchange.ts';
import { statesOf } from './states/states.ts';
import {
  checkFingerprint,
  openDataDirectory,
  openStore,
  refuseLostDatabase,
  storedClock,
} from './store/index.ts';
import { startTimetable, startWorker } from './tasks/index.ts';
import { troubleOf } from './trouble.ts';

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

/** All that is open between one exchange of the database and the next. */
async function openGeneration(parts: {
  readonly config: Config;
  readonly pair: ReturnType<typeof keyPair>;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly place: Place;
  readonly startHost: StartHost | undefined;
}): Promise<Generation> {
  const { config, dataDirectory, log, place } = parts;
  await using stack = new AsyncDisposableStack();
  // The engine host and the store take the longest; neither waits for the other.
  const engine = openEngine(parts, stack);
  const families = await loadFamilies();
  const services = await openServices({ config, dataDirectory, families, engine, log, place, stack });
  const hostUp = engine.start();
  hostUp.catch(() => {});
  const access = await openAccess(services);
  stack.defer(() => access.close());
  const certificate = await openCertificate(config, join(dataDirectory, 'ca.pem'), services);
  stack.defer(() => certificate?.source.close());
  const { access: first, isMade } = await firstAccess(services, parts.pair);
  const interference = families
    .flatMap((family) => family.interference ?? [])
    .map((open) => open(services))[0];
  stack.defer(() => interference?.close());
  const api = await openApi({
    interference,
    config,
    families,
    services,
    access,
    engine,
    dataDirectory,
    certificate,
    front: place.front,
  });
  stack.defer(() => place.endRequests(api));
  followCertificate(place.listening ?? api, certificate);
  await hostUp;
  if (config['engine-tls'] && certificate) await followWithEngine(engine, certificate, log);
  await engine.setClock(services.clock.setting());
  services.clock.onChange((setting) => {
    engine
      .setClock(setting)
      .catch((error: Error) => log.warn({ reason: error.message }, 'engine clock not set'));
  });
  const peers = await openToPeers(config, dataDirectory, engine, services);
  stack.defer(() => peers.close());
  await services.engines.follow();
  if (isMade) await services.states.keepFirst();
  await startTasks(services, families, interference, stack);
  if (place.listening === undefined) {
    place.front.serveBy(api.routing);
    await listen(api, config);
    place.listens(api);
  }
  if (config['public-url'] === undefined) services.publicUrl = urlAt(config, place);
  const bootstrap: Bootstrap = {
    url: services.publicUrl,
    ...first,
    ...(certificate?.authorityFile === undefined ? {} : { caCertificate: certificate.authorityFile }),
  };
  await writeBootstrap(dataDirectory, bootstrap);
  const running = stack.move();
  return {
    bootstrap,
    isNew: isMade,
    states: services.states,
    call: ownCalls(api, first),
    async organization(organization) {
      const access = await organizationAccess(services, organization);
      return { orgId: access.orgId, call: ownCalls(api, access) };
    },
    run: (clusterId, command) => runOn(services, clusterId, command),
    listener: api.routing,
    close: () => running.disposeAsync(),
  };
}

async function runOn(
  { store, engines }: OpenServices,
  clusterId: string,
  command: Readonly<Record<string, unknown>>,
) {
  const cluster = await store.read((tx) => clusterById(tx, clusterId));
  if (cluster === undefined) throw new Error('the cluster is gone');
  return engines.at(cluster.host).run(clusterId, command);
}

async function openApi(parts: {
  readonly config: Config;
  readonly families: readonly Family[];
  readonly services: OpenServices;
  readonly access: Access;
  readonly engine: EmbeddedEngine;
  readonly dataDirectory: string;
  readonly certificate: ServiceCertificate | undefined;
  readonly interference: Interference | undefined;
  readonly front: Front;
}): Promise<FastifyInstance> {
  const { config, families, services, access, certificate } = parts;
  const described = {
    operations: families.flatMap((family) => family.operations),
    parameters: Object.assign({}, ...families.map((family) => family.parameters)),
    rateLimited: config['rate-limited'] ?? [],
  };
  return createApi({
    ...described,
    planned: plannedOperations,
    services,
    access,
    mounts: [
      ...families.flatMap((family) => (family.mounts ?? []).map((mount) => mount(services))),
      ...mounts(access, {
        ...described,
        faults: faultTables(families),
        get publicUrl() {
          return services.publicUrl;
        },
        serviceVersion: services.version,
      }),
    ],
    ...(certificate ? { tls: certificate.source.current() } : {}),
    trustedProxies: config['trusted-proxies'] ?? [],
    strictVersions: config['strict-versions'],
    limits: { connections: connectionsWithin(openFileLimit()) },
    front: parts.front,
    interfere: parts.interference?.request,
    trouble: () => troubleOf(parts),
    build: { version: services.version, commit: services.build },
  });
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

function openEngine(
  parts: {
    readonly config: Config;
    readonly dataDirectory: string;
    readonly log: Log;
    readonly place: Place;
    readonly startHost: StartHost | undefined;
  },
  stack: AsyncDisposableStack,
): EmbeddedEngine {
  const { config, dataDirectory: dataDir, log, place, startHost } = parts;
  const advertise = config['engine-advertise'];
  const engine = createEmbeddedEngine({
    dataDir,
    listen: config['engine-listen'],
    ...(advertise === undefined ? {} : { advertise }),
    ...(config.domain === undefined ? {} : { domain: config.domain }),
    ports: config['engine-ports'],
    tls: config['engine-tls'],
    keyFolder: keyFolder(config, dataDir),
    log: log.child({ part: 'engine' }),
    ...(startHost === undefined ? {} : { startHost }),
  });
  stack.defer(() => (config['keep-clusters'] && place.isLast() ? engine.close() : engine.stop()));
  return engine;
}

const keyFolder = (config: Config, dataDirectory: string) =>
  config['key-folder'] ?? join(dataDirectory, 'keys');

interface Parts {
  readonly config: Config;
  readonly dataDirectory: string;
  readonly families: readonly Family[];
  readonly engine: EmbeddedEngine;
  readonly log: Log;
  readonly place: Place;
  readonly stack: AsyncDisposableStack;
}

type OpenServices = Services & {
  publicUrl: string;
  readonly version: string;
  readonly engines: Awaited<ReturnType<typeof openEngineHosts>>;
};

async function openServices(parts: Parts): Promise<OpenServices> {
  const { config, dataDirectory, families, engine, log, place, stack } = parts;
  const machine = machineClock();
  const clock = serviceClock(machine);
  const random = systemRandom();
  const idMaker = ids(() => clock.now().getTime(), random);
  const file = join(dataDirectory, 'portolan.sqlite');
  // Before a key is made, or anything else that a first start makes.
  if (!config.database) refuseLostDatabase(file, clustersDirectory(dataDirectory));
  const secrets = secretBox(await readSecretKey(config['secret-key'], dataDirectory, random), random);
  const store = await openStore({
    database: config.database ? { url: config.database } : { file, empty: EMPTY_DATABASE },
    clock,
    machine,
    random,
    ids: idMaker,
    log: log.child({ part: 'store' }),
    migrations: migrationsOf(families),
    handlers: handlersOf(families),
  });
  stack.defer(() => store.close());
  await checkFingerprint(store, secrets);
  const keptClock = await storedClock(store, clock, machine);
  stack.defer(() => keptClock.close());
  const engines = await openEngineHosts(dataDirectory, engine, { store, secrets, machine, random, log });
  stack.defer(() => engines.close());
  await checkSnapshotStore(config, dataDirectory, { store, ids: idMaker, log });
  const { version, commit } = buildInfo();
  return {
    store,
    clock,
    storedClock: keptClock,
    machine,
    random,
    ids: idMaker,
    secrets,
    engines,
    states: statesOf({
      ...{ dataDirectory, engine },
      services: { store, machine, secrets, random, engines, version },
      ownSnapshots: config['snapshot-store'] === undefined,
      reopen: place.reopen,
      alone: (work) => place.alone(work),
    }),
    log,
    eventTypes: eventTypesOf(families),
    operationNames: operationNamesOf(families),
    eventDays: config['event-days'],
    build: commit,
    version,
    keys: new KeyFolder(keyFolder(config, dataDirectory), random),
    ...snapshotStores(config, dataDirectory),
    scratch: await emptyFolder(join(dataDirectory, 'temporary')),
    clouds: {
      stsUrl: config['sts-url'],
      s3Url: config['s3-url'],
      azureClientSecret: config['azure-client-secret'],
      azureStorageKey: config['azure-storage-key'],
      privateTargets: config['allow-private-targets'],
    },
    outgoing: openOutgoing({
      allowPrivate: config['allow-private-targets'],
      smtpUrl: config['smtp-url'],
      smsUrl: config['sms-url'],
      bases: config['notification-urls'] ?? {},
    }),
    naming: { domain: config.domain?.toLowerCase(), dns: config['dns-listen'], tls: config['engine-tls'] },
    publicUrl: config['public-url'] ?? urlOf(config, config.listen.port),
  };
}

/** The data directory is this instance's alone: what is there was left by one that was killed. */
async function emptyFolder(path: string): Promise<string> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  return path;
}

function urlOf(config: Config, port: number): string {
  const { host } = config.listen;
  return `${config['plain-http'] ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function keyPair(config: Config) {
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

function followCertificate({ server }: FastifyInstance, certificate: ServiceCertificate | undefined): void {
  const present = (next: object) => {
    if ('setSecureContext' in server && typeof server.setSecureContext === 'function')
      server.setSecureContext(next);
  };
  // That of a state from elsewhere may be another one.
  if (certificate && server.listening) present(certificate.source.current());
  certificate?.source.onChange(present);
}

/** Members present what the service presents, and change it when the service does. */
async function followWithEngine(
  engine: EmbeddedEngine,
  { source }: ServiceCertificate,
  log: Log,
): Promise<void> {
  await engine.setTls(source.current());
  source.onChange((next) => {
    engine
      .setTls(next)
      .catch((error: Error) => log.warn({ reason: error.message }, 'engine certificate not set'));
  });
}

async function startTasks(
  services: OpenServices,
  families: readonly Family[],
  interference: Interference | undefined,
  stack: AsyncDisposableStack,
): Promise<void> {
  const worker = await startWorker({
    ...services,
    services,
    log: services.log.child({ part: 'tasks' }),
    kinds: families.flatMap((family) => family.tasks ?? []),
    hosts: () => services.engines.reachable(),
    interfere: interference?.work,
  });
  stack.defer(() => worker.stop());
  const timetable = await startTimetable({
    ...services,
    entries: families.flatMap((family) => family.timetable ?? []),
  });
  stack.defer(() => timetable.stop());
  for (const start of families.flatMap((family) => family.background ?? [])) {
    const running = start(services);
    stack.defer(() => running.stop());
    await running.ready;
  }
}

/** Finds a port that is taken before anything is made; `listen` meets one that is taken meanwhile. */
async function checkListen({ listen }: Config): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(listen.port, listen.host, resolve);
    });
  } catch (error) {
    throw cannotListen(listen, error);
  }
  await new Promise((closed) => probe.close(closed));
}

function cannotListen({ host, port }: Config['listen'], error: unknown): ConfigError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'EADDRINUSE' ? 'the port is taken' : message;
  return new ConfigError(`The service cannot listen on ${host}:${port}: ${reason}`);
}

async function listen(api: FastifyInstance, config: Config): Promise<void> {
  const { host, port } = config.listen;
  try {
    await api.listen({ host, port });
  } catch (error) {
    throw cannotListen(config.listen, error);
  }
}

/** With the port that was picked, where it was to be any. */
function urlAt(config: Config, { listening }: Place): string {
  const at = listening?.server.address() as AddressInfo | undefined;
  return urlOf(config, at?.port ?? config.listen.port);
}
