import { readHostFile } from '../control/host-file.ts';

/** How a host is reached, and what proves that both sides belong together. */
export interface HostEndpoint {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** What vouches for the host's certificate, as PEM; absent: it speaks no TLS there. */
  readonly authority?: string;
}

export function endpointOf(dataDir: string): HostEndpoint | undefined {
  const file = readHostFile(dataDir);
  return file && { host: file.host, port: file.port, token: file.token };
}
