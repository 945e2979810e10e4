import type { SecretBox } from '@portolan/foundation/secret-box';
import type { ReadTx, Tx } from '../../store/index.ts';
import { findHosts, NO_PORT, saveHost } from './rows.ts';

/** How instances connect to an engine host. All instances that share the database use these settings. */
interface HostEndpoint {
  readonly host: string;
  readonly port: number;
  /** Shared secret for mutual authentication. */
  readonly token: string;
  /**
   * The PEM certificate of the authority. Absent if the host accepts connections only from its own machine, without
   * TLS.
   */
  readonly authority?: string;
}

export interface KnownHost extends HostEndpoint {
  readonly id: string;
}

/** The host id of deployments that run outside Portolan. Every instance reaches them. */
export const ADOPTED_HOST = 'adopted';

/**
 * Whether this instance does the periodic work that belongs to no host. One instance does it: the keeper of a host that
 * every instance reaches.
 */
export function doesSharedWork({ keeps }: { keeps(this: void, host: string): boolean }): boolean {
  return keeps(ADOPTED_HOST);
}

/** The host id of clusters on Kubernetes. Every instance with access to Kubernetes reaches them. */
export const KUBERNETES_HOST = 'kubernetes';

/** Creates a host without an address, for rows of clusters to refer to. */
export function ensureHost(tx: Tx, id: typeof ADOPTED_HOST | typeof KUBERNETES_HOST): Promise<void> {
  const nowhere = { address: '', port: NO_PORT, token: new Uint8Array(), authority: null };
  return saveHost(tx, { id, ...nowhere }, 0);
}

/**
 * Returns the encryption context of a host's token. The context ensures that no other encrypted value can be used in
 * place of the token.
 */
const contextOf = (id: string) => `engine host ${id}`;

/** Stores how to connect to a host, and when it was last seen (machine time in milliseconds). */
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
