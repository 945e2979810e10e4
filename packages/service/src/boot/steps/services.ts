import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedEngine } from '@portolan/engine/management';
import { buildInfo } from '@portolan/foundation/build-info';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { ids } from '@portolan/foundation/ids';
import { KeyFolder } from '@portolan/foundation/keys/key-folder';
import type { Log } from '@portolan/foundation/log';
import { openOutgoing } from '@portolan/foundation/outgoing/outgoing';
import { systemRandom } from '@portolan/foundation/random';
import { Inspector } from '../../api/inspect/inspector.ts';
import { EventHub } from '../../events/index.ts';
import type { Family } from '../../resources/family.ts';
import { eventTypesOf, operationNamesOf } from '../../resources/index.ts';
import type { ConsoleSettings, Services } from '../../resources/services.ts';
import { statesOf } from '../../states/states.ts';
import type { InstanceSlot } from '../service-instances.ts';
import type { Config } from '../settings.ts';
import { consoleFolder } from './console-folder.ts';
import { keyFolderPath } from './engine.ts';
import type { OpenEngineHosts } from './engine-hosts.ts';
import { urlOf } from './listening.ts';
import { snapshotStores } from './snapshot-store.ts';

/** Opens the sources of time, randomness and ids. They depend on nothing else. */
export function openSources(): Pick<Services, 'clock' | 'machine' | 'random' | 'ids'> {
  const machine = machineClock();
  const clock = serviceClock(machine);
  const random = systemRandom();
  return { machine, clock, random, ids: ids(() => clock.now().getTime(), random) };
}

/** The services while they are being opened. The last steps of a start set the remaining fields. */
export type OpenServices = Services & {
  publicUrl: string;
  readonly version: string;
  readonly engines: OpenEngineHosts;
};

type Opened = Pick<Services, 'clock' | 'ids' | 'machine' | 'random' | 'secrets' | 'store' | 'storedClock'> & {
  readonly engines: OpenEngineHosts;
};

interface Parts {
  readonly config: Config;
  readonly dataDirectory: string;
  readonly families: readonly Family[];
  readonly engine: EmbeddedEngine;
  readonly log: Log;
  readonly slot: InstanceSlot;
  readonly seeds: Services['seeds'];
}

/** Collects the services of the resource families from the settings and from the results of earlier steps. */
export async function collectServices(parts: Parts, opened: Opened): Promise<OpenServices> {
  const { config, dataDirectory, families, engine, log, slot, seeds } = parts;
  const { version, commit } = buildInfo();
  return {
    ...opened,
    states: statesOf({
      ...{ dataDirectory, engine },
      services: { ...opened, version },
      ownSnapshots: config['snapshot-store'] === undefined,
      reopen: slot.reopen,
      alone: (work) => slot.alone(work),
    }),
    seeds,
    log,
    eventTypes: eventTypesOf(families),
    operationNames: operationNamesOf(families),
    eventDays: config['event-days'],
    build: commit,
    version,
    keys: new KeyFolder(keyFolderPath(config, dataDirectory), opened.random),
    ...snapshotStores(config, dataDirectory),
    scratch: await emptyFolder(join(dataDirectory, 'temporary')),
    clouds: cloudsOf(config),
    outgoing: outgoingOf(config),
    naming: { domain: config.domain?.toLowerCase(), dns: config['dns-listen'], tls: config['engine-tls'] },
    console: config['no-console'] ? undefined : { folder: consoleFolder(), provider: providerOf(config) },
    inspector: new Inspector(),
    eventHub: new EventHub({ store: opened.store, machine: opened.machine, log }),
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

function providerOf(config: Config): ConsoleSettings['provider'] {
  const [issuer, clientId] = [config['oidc-issuer'], config['oidc-client-id']];
  if (issuer === undefined || clientId === undefined) return undefined;
  return { issuer, clientId, clientSecret: config['oidc-client-secret'] };
}

function outgoingOf(config: Config): Services['outgoing'] {
  return openOutgoing({
    allowPrivate: config['allow-private-targets'],
    smtpUrl: config['smtp-url'],
    smsUrl: config['sms-url'],
    bases: config['notification-urls'] ?? {},
  });
}

/** Empties a folder of the data directory. The directory is locked, so existing content is from a killed process. */
async function emptyFolder(path: string): Promise<string> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  return path;
}
