import type { SecretBox } from '@portolan/foundation/secret-box';
import type { ReadTx, Tx } from '../../store/index.ts';
import { findHosts, NO_PORT, saveHost } from './rows.ts';

/** Connection data of an engine host for all instances that share the database. */
interface HostEndpoint {
  readonly host: string;
  readonly port: number;
  /** Shared secret for mutual authentication. */
  readonly token: string;
  /** CA certificate as PEM; absent if the host is reached without TLS, on its own machine only. */
  readonly authority?: string;
}

export interface KnownHost extends HostEndpoint {
  readonly id: string;
}

/** The id under which every instance reaches the deployments that others run. */
export const ADOPTED_HOST = 'adopted';

/** Makes the entry to which the rows of such deployments refer. It has no address of its own. */
export function ensureAdoptedHost(tx: Tx): Promise<void> {
  const nowhere = { address: '', port: NO_PORT, token: new Uint8Array(), authority: null };
  return saveHost(tx, { id: ADOPTED_HOST, ...nowhere }, 0);
}

/** Encryption context of a host's token, so that no other encrypted value can replace it. */
const contextOf = (id: string) => `engine host ${id}`;

/** Writes the connection data of a host and the time it was last seen (machine milliseconds). */
export async function announceHost(tx: Tx, secrets: SecretBox, host: KnownHost, seen: number): Promise<void> {
  const { id, host: address, port, token, authority = null } = host;
  await saveHost(tx, { id, address, port, token: secrets.seal(token, contextOf(id)), authority }, seen);
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
