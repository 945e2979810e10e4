import { join } from 'node:path';
import { createEmbeddedEngine, type EmbeddedEngine, type StartHost } from '@portolan/engine/management';
import type { ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { InstanceSlot } from '../service-instances.ts';
import type { Config } from '../settings.ts';
import type { ServiceCertificate } from './certificate.ts';

interface Parts {
  readonly config: Config;
  readonly dataDirectory: string;
  readonly log: Log;
  /** How the engine host is started; by default as a process that may outlive the service. */
  readonly startHost: StartHost | undefined;
}

/** Opens the client of the engine host; `startEngine` starts the host. */
export function openEngine({ config, dataDirectory, log, startHost }: Parts): EmbeddedEngine {
  const advertise = config['engine-advertise'];
  return createEmbeddedEngine({
    dataDir: dataDirectory,
    listen: config['engine-listen'],
    ...(advertise === undefined ? {} : { advertise }),
    ...(config.domain === undefined ? {} : { domain: config.domain }),
    ports: config['engine-ports'],
    tls: config['engine-tls'],
    keyFolder: keyFolderPath(config, dataDirectory),
    log: log.child({ part: 'engine' }),
    ...(startHost === undefined ? {} : { startHost }),
  });
}

export function keyFolderPath(config: Config, dataDirectory: string): string {
  return config['key-folder'] ?? join(dataDirectory, 'keys');
}

/** Starts the engine host. The caller can await the returned promise after other steps. */
export function startEngine(engine: EmbeddedEngine): Promise<void> {
  const started = engine.start();
  // If another step fails first, nobody awaits this promise. Without this handler, its rejection would then end the
  // process. Awaiting the promise still throws the error.
  started.catch(() => {});
  return started;
}

/** Stops the engine host, unless it should outlive the service. */
export async function stopEngine(engine: EmbeddedEngine, config: Config, slot: InstanceSlot): Promise<void> {
  if (config['keep-clusters'] && slot.isLast()) engine.close();
  else await engine.stop();
}

/** Applies each change of the service clock to the engine's clock. */
export async function followClock(engine: EmbeddedEngine, clock: ServiceClock, log: Log): Promise<void> {
  await engine.setClock(clock.setting());
  clock.onChange((setting) => {
    engine
      .setClock(setting)
      .catch((error: Error) =>
        log.warn({ reason: error.message }, 'the clock of the engine host could not be set'),
      );
  });
}

/** Passes each new certificate of the service to the members. */
export async function followCertificate(
  engine: EmbeddedEngine,
  config: Config,
  certificate: ServiceCertificate | undefined,
  log: Log,
): Promise<void> {
  if (!config['engine-tls'] || certificate === undefined) return;
  const { source } = certificate;
  await engine.setTls(source.current());
  source.onChange((next) => {
    engine
      .setTls(next)
      .catch((error: Error) =>
        log.warn({ reason: error.message }, 'the certificate of the engine host could not be renewed'),
      );
  });
}
