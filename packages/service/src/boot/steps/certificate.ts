import { join, resolve } from 'node:path';
import type { CertificateSource } from '@portolan/foundation/tls/certificate';
import { openCertificateFiles } from '@portolan/foundation/tls/certificate-files';
import { openServerCertificate, serverNames } from '../../access/index.ts';
import { memberNames } from '../../resources/clusters/index.ts';
import type { Services } from '../../resources/services.ts';
import type { Config } from '../settings.ts';

/** The certificate of the server, and the authority that signed it. */
export interface ServiceCertificate {
  readonly source: CertificateSource;
  /** Path of the PEM file of the service's own authority; absent with a configured certificate. */
  readonly authorityFile?: string;
}

/**
 * Opens the configured certificate or, by default, a certificate that the service's own authority has issued; undefined
 * for plain HTTP.
 */
export async function openCertificate(
  { config, dataDirectory }: { readonly config: Config; readonly dataDirectory: string },
  services: Services,
): Promise<ServiceCertificate | undefined> {
  if (config['plain-http']) return undefined;
  const certFile = config['tls-cert'];
  const keyFile = config['tls-key'];
  if (certFile !== undefined && keyFile !== undefined) {
    const files = { certFile: resolve(certFile), keyFile: resolve(keyFile) };
    return { source: await openCertificateFiles(files, services) };
  }
  const authorityFile = join(dataDirectory, 'ca.pem');
  // With `--engine-tls`, members use this certificate, too. It must therefore name the host that connection strings
  // contain.
  const member = config['engine-advertise'] ?? config['engine-listen'];
  const names = [...new Set([...serverNames(config.listen.host, services.publicUrl), member])];
  const { naming, store } = services;
  const source = await openServerCertificate({
    ...{ ...services, names, authorityFile },
    ...(config['engine-tls'] && naming.domain !== undefined
      ? { furtherNames: () => store.read((tx) => memberNames(tx, naming)) }
      : {}),
  });
  return { source, authorityFile };
}
