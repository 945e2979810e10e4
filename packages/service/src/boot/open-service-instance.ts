import { join } from 'node:path';
import type { EmbeddedEngine, StartHost } from '@portolan/engine/management';
import type { Log } from '@portolan/foundation/log';
import { connectionsWithin, openFileLimit } from '@portolan/foundation/open-files';
import { type Access, type KeyPair, openAccess } from '../access/index.ts';
import { type Api, createApi, type RequestGate } from '../api/index.ts';
import { dialects } from '../dialects/index.ts';
import { clusterById } from '../resources/clusters/index.ts';
import type { Family, FaultInjection } from '../resources/family.ts';
import { loadFamilies } from '../resources/load.ts';
import { startTimetable, startWorker } from '../tasks/index.ts';
import { type Bootstrap, firstAccess, organizationAccess, writeBootstrap } from './bootstrap.ts';
import { openCertificate, type ServiceCertificate } from './certificate.ts';
import type { Config } from './config.ts';
import { openToPeers } from './engine-peers.ts';
import { listen, urlAt } from './listening.ts';
import { faultTables, mounts } from './mounts.ts';
import { type OpenServices, openEngine, openServices } from './open-services.ts';
import { ownCalls } from './own-calls.ts';
import type { InstanceSlot, ServiceInstance } from './service-instances.ts';
import { troubleOf } from './trouble.ts';

/** Opens an instance of the service. */
export async function openServiceInstance(parts: {
  readonly config: Config;
  readonly pair: KeyPair | undefined;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly slot: InstanceSlot;
  readonly startHost: StartHost | undefined;
}): Promise<ServiceInstance> {
  const { config, dataDirectory, log, slot } = parts;
  await using stack = new AsyncDisposableStack();
  // The engine host and the store take longest, and open in parallel.
  const engine = openEngine(parts, stack);
  const families = await loadFamilies();
  const services = await openServices({ config, dataDirectory, families, engine, log, slot, stack });
  const hostUp = engine.start();
  hostUp.catch(() => {});
  const access = await openAccess(services);
  stack.defer(() => access.close());
  const certificate = await openCertificate(config, join(dataDirectory, 'ca.pem'), services);
  stack.defer(() => certificate?.source.close());
  const { access: first, isMade } = await firstAccess(services, parts.pair);
  const faultInjection = families
    .flatMap((family) => family.faultInjection ?? [])
    .map((open) => open(services))[0];
  stack.defer(() => faultInjection?.close());
  const api = await openApi({
    faultInjection,
    config,
    families,
    services,
    access,
    engine,
    dataDirectory,
    certificate,
    requestGate: slot.requestGate,
  });
  stack.defer(() => slot.endRequests(api));
  followCertificate(slot.listening ?? api, certificate);
  await hostUp;
  if (config['engine-tls'] && certificate) await followWithEngine(engine, certificate, log);
  await followClock(engine, services.clock, log);
  const peers = await openToPeers(config, dataDirectory, engine, services);
  stack.defer(() => peers.close());
  await services.engines.follow();
  if (isMade) await services.states.keepFirst();
  await startTasks(services, families, faultInjection, stack);
  if (slot.listening === undefined) {
    slot.requestGate.openTo(api.listener);
    await listen(api, config);
    slot.listens(api);
  }
  if (config['public-url'] === undefined) services.publicUrl = urlAt(config, slot);
  const bootstrap: Bootstrap = {
    url: services.publicUrl,
    ...first,
    ...(certificate?.authorityFile === undefined ? {} : { caCertificate: certificate.authorityFile }),
  };
  await writeBootstrap(dataDirectory, bootstrap);
  return instanceOf({ services, api, first, bootstrap, isNew: isMade, running: stack.move() });
}

function instanceOf(parts: {
  readonly services: OpenServices;
  readonly api: Api;
  readonly first: Awaited<ReturnType<typeof firstAccess>>['access'];
  readonly bootstrap: Bootstrap;
  readonly isNew: boolean;
  readonly running: AsyncDisposableStack;
}): ServiceInstance {
  const { services, api, first, bootstrap, isNew, running } = parts;
  return {
    bootstrap,
    isNew,
    states: services.states,
    call: ownCalls(api, first),
    async organization(organization) {
      const access = await organizationAccess(services, organization);
      return { orgId: access.orgId, call: ownCalls(api, access) };
    },
    run: (clusterId, command) => runOn(services, clusterId, command),
    listener: api.listener,
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
  readonly faultInjection: FaultInjection | undefined;
  readonly requestGate: RequestGate;
}): Promise<Api> {
  const { config, families, services, access, certificate } = parts;
  const described = {
    operations: families.flatMap((family) => family.operations),
    parameters: Object.assign({}, ...families.map((family) => family.parameters)),
    rateLimited: config['rate-limited'] ?? [],
  };
  return createApi({
    ...described,
    dialects,
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
    requestGate: parts.requestGate,
    injectFault: parts.faultInjection?.request,
    trouble: () => troubleOf(parts),
    build: { version: services.version, commit: services.build },
  });
}

function followCertificate({ server }: Api, certificate: ServiceCertificate | undefined): void {
  const present = (next: object) => {
    if ('setSecureContext' in server && typeof server.setSecureContext === 'function')
      server.setSecureContext(next);
  };
  // A restored state may have another certificate.
  if (certificate && server.listening) present(certificate.source.current());
  certificate?.source.onChange(present);
}

/** Keeps the clock of the engine equal to that of the service. */
async function followClock(engine: EmbeddedEngine, clock: OpenServices['clock'], log: Log): Promise<void> {
  await engine.setClock(clock.setting());
  clock.onChange((setting) => {
    engine
      .setClock(setting)
      .catch((error: Error) => log.warn({ reason: error.message }, 'engine clock not set'));
  });
}

/** Keeps the certificate of members equal to that of the service. */
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
  faultInjection: FaultInjection | undefined,
  stack: AsyncDisposableStack,
): Promise<void> {
  const worker = await startWorker({
    ...services,
    services,
    log: services.log.child({ part: 'tasks' }),
    kinds: families.flatMap((family) => family.tasks ?? []),
    hosts: () => services.engines.reachable(),
    injectFault: faultInjection?.work,
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
