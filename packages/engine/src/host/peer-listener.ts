import { createSecureContext } from 'node:tls';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import type { PeerAddress } from '../control/calls.ts';
import type { ControlListener, ControlServer } from './control-server.ts';

/** Listens over TLS for services on other machines. The service on this machine connects to the loopback port. */
export class PeerListener {
  readonly #listen: (at: ControlListener) => Promise<ControlServer>;
  #open: { readonly address: string; readonly server: ControlServer } | undefined;
  readonly #queue = new SerialQueue();

  constructor(listen: (at: ControlListener) => Promise<ControlServer>) {
    this.#listen = listen;
  }

  /**
   * Sets the address to listen on, and returns the port. Without `wanted`, stops listening. If only the certificate
   * changes, connections stay open. Rejects if the address cannot be bound or the certificate is invalid.
   */
  set(wanted?: PeerAddress): Promise<number | undefined> {
    return this.#queue.run(() => this.#set(wanted));
  }

  close(): void {
    this.#open?.server.close();
    this.#open = undefined;
  }

  async #set(wanted: PeerAddress | undefined): Promise<number | undefined> {
    if (wanted === undefined) {
      this.close();
      return undefined;
    }
    const { host, port, certificate } = wanted;
    createSecureContext({ ...certificate });
    const address = `${host}:${port}`;
    if (this.#open?.address === address) {
      this.#open.server.setCertificate(certificate);
      return this.#open.server.port;
    }
    this.close();
    const server = await this.#listen({ host, port, certificate });
    this.#open = { address, server };
    return server.port;
  }
}
