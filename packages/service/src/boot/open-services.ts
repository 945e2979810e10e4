import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  clustersDirectory,
  createEmbeddedEngine,
  type EmbeddedEngine,
  type StartHost,
} from '@portolan/engine/management';
import { buildInfo } from '@portolan/foundation/build-info';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { ids } from '@portolan/foundation/ids';
import { KeyFolder } from '@portolan/foundation/keys/key-folder';
import type { Log } from '@portolan/foundation/log';
import { openOutgoing } from '@portolan/foundation/outgoing/outgoing';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import type { Family } from '../resources/family.ts';
import { eventTypesOf, handlersOf, operationNamesOf } from '../resources/index.ts';
import type { Services } from '../resources/services.ts';
import { statesOf } from '../states/states.ts';
import { checkFingerprint, openStore, refuseLostDatabase, storedClock } from '../store/index.ts';
import type { Config } from './config.ts';
import { openEngineHosts } from './engine-hosts.ts';
import { urlOf } from './listening.ts';
import { EMPTY_DATABASE, migrationsOf } from './migrations.ts';
import { readSecretKey } from './secret-key.ts';
import type { InstanceSlot } from './service-instances.ts';
import { checkSnapshotStore, snapshotStores } from './snapshot-store.ts';

interface Parts {
  readonly config: Config;
  readonly dataDirectory: string;
  readonly families: readonly Family[];
  readonly engine: EmbeddedEngine;
  readonly log: Log;
  readonly slot: InstanceSlot;
  readonly stack: AsyncDisposableStack;
}

export type OpenServices = Services & {
  publicUrl: string;
  readonly version: string;
  readonly engines: Awaited<ReturnType<typeof openEngineHosts>>;
};

export async function openServices(parts: Parts): Promise<OpenServices> {
  const { config, dataDirectory, families, engine, log, slot, stack } = parts;
  const machine = machineClock();
  const clock = serviceClock(machine);
  const random = systemRandom();
  const idMaker = ids(() => clock.now().getTime(), random);
  const file = join(dataDirectory, 'portolan.sqlite');
  // Before a first start creates a key or anything else.
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
      reopen: slot.reopen,
      alone: (work) => slot.alone(work),
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
    clouds: cloudsOf(config),
    outgoing: outgoingOf(config),
    naming: { domain: config.domain?.toLowerCase(), dns: config['dns-listen'], tls: config['engine-tls'] },
    publicUrl: config['public-url'] ?? urlOf(config, config.listen.port),
  };
}

function cloudsOf(config: Config): Services['clouds'] {
  return {
    stsUrl: config['sts-url'],
    s3Url: config['s3-url'],
    azureClientSecret: config['azure-client-secret'],
    azureStorageKey: config['azure-storage-key'],
    privateTargets: config['allow-private-targets'],
  };
}

function outgoingOf(config: Config): Services['outgoing'] {
  return openOutgoing({
    allowPrivate: config['allow-private-targets'],
    smtpUrl: config['smtp-url'],
    smsUrl: config['sms-url'],
    bases: config['notification-urls'] ?? {},
  });
}

export function openEngine(
  parts: {
    readonly config: Config;
    readonly dataDirectory: string;
    readonly log: Log;
    readonly slot: InstanceSlot;
    readonly startHost: StartHost | undefined;
  },
  stack: AsyncDisposableStack,
): EmbeddedEngine {
  const { config, dataDirectory: dataDir, log, slot, startHost } = parts;
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
  stack.defer(() => (config['keep-clusters'] && slot.isLast() ? engine.close() : engine.stop()));
  return engine;
}

const keyFolder = (config: Config, dataDirectory: string) =>
  config['key-folder'] ?? join(dataDirectory, 'keys');

/** The data directory is locked, so that any content was left by a killed process. */
async function emptyFolder(path: string): Promise<string> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  return path;
}
