import type { Socket } from 'node:net';
import { createServer, type SecureVersion, type Server, type TLSSocket, type TlsOptions } from 'node:tls';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { TlsProtocol } from '../interface/engine.ts';

const versions: Readonly<Record<TlsProtocol, SecureVersion>> = {
  TLS1_0: 'TLSv1',
  TLS1_1: 'TLSv1.1',
  TLS1_2: 'TLSv1.2',
  TLS1_3: 'TLSv1.3',
};
const DEFAULT_MINIMUM: TlsProtocol = 'TLS1_2';
/** As for request headers: a peer that has not finished by then is gone or means no good. */
const HANDSHAKE_MS = 10_000;

export interface TlsEvents {
  secured(socket: TLSSocket): void;
  refused(remote: string, reason: string): void;
}

/** What stands before a cluster's connections: nobody gets through without TLS, nobody at all without a certificate. */
export class TlsGate {
  readonly #events: TlsEvents;
  /** Those in their handshake, by peer. */
  readonly #greeting = new Map<string, Socket>();
  #server: Server | undefined;

  constructor(events: TlsEvents) {
    this.#events = events;
  }

  /** For connections from here on. Throws when the certificate cannot be used. */
  configure({ cert, key }: Certificate, minimum: TlsProtocol = DEFAULT_MINIMUM): void {
    const options: TlsOptions = { cert, key, minVersion: versions[minimum] };
    // What OpenSSL calls security level 1 has no cipher left for the two oldest versions.
    if (minimum === 'TLS1_0' || minimum === 'TLS1_1') options.ciphers = 'DEFAULT@SECLEVEL=0';
    if (this.#server === undefined) this.#server = this.#create(options);
    else this.#server.setSecureContext(options);
  }

  accept(socket: Socket): void {
    if (this.#server === undefined) {
      socket.destroy();
      return;
    }
    const peer = peerOf(socket);
    this.#greeting.set(peer, socket);
    socket.once('close', () => {
      if (this.#greeting.get(peer) === socket) this.#greeting.delete(peer);
    });
    // The way to hand a TLS server connections that another server has accepted.
    this.#server.emit('connection', socket);
  }

  /** Drops whoever is in a handshake at this port. */
  drop(port: number | undefined): void {
    for (const socket of this.#greeting.values()) if (socket.localPort === port) socket.destroy();
  }

  #create(options: TlsOptions): Server {
    const server = createServer({ ...options, handshakeTimeout: HANDSHAKE_MS }, (socket) => {
      this.#greeting.delete(peerOf(socket));
      this.#events.secured(socket);
    });
    server.on('tlsClientError', ({ message }, socket) => {
      // One that hung up by itself has no address any more.
      const { remoteAddress, remotePort } = socket;
      this.#events.refused(remoteAddress === undefined ? 'gone' : `${remoteAddress}:${remotePort}`, message);
      socket.destroy();
    });
    return server;
  }
}

/** Two members may have a connection from the same port of a peer. */
function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
