import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedEngine } from '@portolan/engine/management';
import { ConfigError } from '@portolan/foundation/command-line';
import { openServerCertificate } from '../../access/index.ts';
import type { Services } from '../../resources/services.ts';
import type { Config } from '../settings.ts';

/**
 * Lets services on other machines that share the store control this instance's engine host. They connect over TLS.
 * The certificate of the host is signed by the authority that all instances share. Without `--control-listen`, only
 * services on this machine can connect to the host. The returned `close` stops renewing the certificate.
 */
export async function openToPeers(
  config: Config,
  dataDirectory: string,
  engine: EmbeddedEngine,
  services: Services,
): Promise<{ close(): void }> {
  const listen = config['control-listen'];
  if (listen === undefined) {
    await engine.listenToPeers(undefined);
    return { close: () => {} };
  }
  const advertise = config['control-advertise'] ?? listen.host;
  const authorityFile = join(dataDirectory, 'ca.pem');
  const source = await openServerCertificate({ ...services, names: [advertise], authorityFile });
  const listening = async () => {
    const authority = await readFile(authorityFile, 'utf8');
    await engine.listenToPeers({ ...listen, advertise, authority, certificate: source.current() });
  };
  try {
    await listening();
  } catch (error) {
    source.close();
    const { message } = error as Error;
    throw new ConfigError(`The engine host cannot listen on ${listen.host}:${listen.port}: ${message}`);
  }
  source.onChange(() => {
    listening().catch((error: Error) => {
      services.log.warn(
        { reason: error.message },
        'the certificate of --control-listen could not be renewed',
      );
    });
  });
  return source;
}
