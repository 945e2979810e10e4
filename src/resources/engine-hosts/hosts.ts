import type { SecretBox } from '../../runtime/secret-box.ts';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import { findHosts, putHost } from './rows.ts';

/** How an engine host is reached by any instance that shares the database. */
export interface HostEndpoint {
  readonly host: string;
  readonly port: number;
  /** Proves to either side that the other belongs here. */
  readonly token: string;
}

export interface KnownHost extends HostEndpoint {
  readonly id: string;
}

const contextOf = (id: string) => `engine host ${id}`;

/** Keeps where a host is reached, and that it was seen now (machine milliseconds). */
export async function announceHost(tx: Tx, secrets: SecretBox, host: KnownHost, seen: number): Promise<void> {
  await putHost(tx, {
    id: host.id,
    address: host.host,
    port: host.port,
    token: secrets.seal(host.token, contextOf(host.id)),
    last_seen: codec.int64.write(Math.round(seen)),
  });
}

export async function knownHosts(tx: ReadTx, secrets: SecretBox): Promise<KnownHost[]> {
  const rows = await findHosts(tx);
  return rows.map(({ id, address, port, token }) => ({
    id,
    host: address,
    port,
    token: secrets.open(token, contextOf(id)).toString(),
  }));
}
