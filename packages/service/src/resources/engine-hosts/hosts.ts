import type { SecretBox } from '@portolan/foundation/secret-box';
import type { ReadTx, Tx } from '../../store/index.ts';
import { findHosts, putHost } from './rows.ts';

/** How an engine host is reached by any instance that shares the database. */
interface HostEndpoint {
  readonly host: string;
  readonly port: number;
  /** Proves to either side that the other belongs here. */
  readonly token: string;
  /** What vouches for its certificate, as PEM; absent: it is reached without TLS, on its own machine alone. */
  readonly authority?: string;
}

export interface KnownHost extends HostEndpoint {
  readonly id: string;
}

/** Names the seal of a host's token, so that no other sealed value can stand in for it. */
const contextOf = (id: string) => `engine host ${id}`;

/** Writes where a host is reached, and when it was seen (machine milliseconds). */
export async function announceHost(tx: Tx, secrets: SecretBox, host: KnownHost, seen: number): Promise<void> {
  const { id, host: address, port, token, authority = null } = host;
  await putHost(tx, { id, address, port, token: secrets.seal(token, contextOf(id)), authority }, seen);
}

export async function knownHosts(tx: ReadTx, secrets: SecretBox): Promise<KnownHost[]> {
  const rows = await findHosts(tx);
  return rows.map(({ id, address, port, token, authority }) => ({
    id,
    host: address,
    port,
    token: secrets.open(token, contextOf(id)).toString(),
    ...(authority === null ? {} : { authority }),
  }));
}
