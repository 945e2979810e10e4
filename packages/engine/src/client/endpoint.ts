import { readHostFile } from '../control/host-file.ts';

/** The address of a host, and the credentials of both sides. */
export interface HostEndpoint {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** The certificate authority of the host, as PEM; absent: no TLS. */
  readonly authority?: string;
}

export function endpointOf(dataDir: string): HostEndpoint | undefined {
  const file = readHostFile(dataDir);
  return file && { host: file.host, port: file.port, token: file.token };
}
