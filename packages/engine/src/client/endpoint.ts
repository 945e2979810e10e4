import { readHostFile } from '../control/host-file.ts';

/** The address of an engine host, and the credentials with which both sides authenticate. */
export interface HostEndpoint {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** The PEM certificate of the authority that signed the host's certificate. Absent without TLS. */
  readonly authority?: string;
}

export function endpointOf(dataDir: string): HostEndpoint | undefined {
  const file = readHostFile(dataDir);
  return file && { host: file.host, port: file.port, token: file.token };
}
