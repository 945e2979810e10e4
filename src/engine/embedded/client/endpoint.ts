import { readHostFile } from '../control/host-file.ts';
import type { HostFile } from '../control/protocol.ts';

/** How a host is reached, and what proves that both sides belong together. */
export type HostEndpoint = Pick<HostFile, 'host' | 'port' | 'token'>;

export function endpointOf(dataDir: string): HostEndpoint | undefined {
  const file = readHostFile(dataDir);
  return file && { host: file.host, port: file.port, token: file.token };
}
