import { resolve } from 'node:path';
import type { CertificateSource } from '@portolan/foundation/tls/certificate';
import { openCertificateFiles } from '@portolan/foundation/tls/certificate-files';
import { openServerCertificate, serverNames } from '../access/index.ts';
import { memberNames } from '../resources/clusters/index.ts';
import type { Services } from '../resources/services.ts';
import type { Config } from './config.ts';

/** What the server presents, and what clients have to trust for it. */
export interface ServiceCertificate {
  readonly source: CertificateSource;
  /** Path of the own authority's PEM file; absent with a certificate of the person's own. */
  readonly authorityFile?: string;
}

/** The person's own certificate where one is given, else one of the service's own authority; none for plain HTTP. */
export async function openCertificate(
  config: Config,
  authorityFile: string,
  services: Services,
): Promise<ServiceCertificate | undefined> {
  if (config['plain-http']) return undefined;
  const certFile = config['tls-cert'];
  const keyFile = config['tls-key'];
  if (certFile !== undefined && keyFile !== undefined) {
    const files = { certFile: resolve(certFile), keyFile: resolve(keyFile) };
    return { source: await openCertificateFiles(files, services) };
  }
  // Members present it too (`--engine-tls`), by the address that connection strings hold.
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
