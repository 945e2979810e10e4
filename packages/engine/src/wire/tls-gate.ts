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
/** As for request headers: a slower peer is gone or hostile. */
const HANDSHAKE_MS = 10_000;

export interface TlsEvents {
  secured(socket: TLSSocket): void;
  rejected(remote: string, reason: string): void;
}

/** Performs the TLS handshake of a cluster's connections. Without a certificate it closes every connection. */
export class TlsGate {
  readonly #events: TlsEvents;
  /** Sockets in their handshake, by peer. */
  readonly #handshaking = new Map<string, Socket>();
  #server: Server | undefined;

  constructor(events: TlsEvents) {
    this.#events = events;
  }

  /** Sets the options of later connections. Throws if the certificate is invalid. */
  configure({ cert, key }: Certificate, minimum: TlsProtocol = DEFAULT_MINIMUM): void {
    const options: TlsOptions = { cert, key, minVersion: versions[minimum] };
    // OpenSSL's security level 1 has no cipher for the two oldest versions.
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
    this.#handshaking.set(peer, socket);
    socket.once('close', () => {
      if (this.#handshaking.get(peer) === socket) this.#handshaking.delete(peer);
    });
    // How a TLS server adopts connections that another server has accepted.
    this.#server.emit('connection', socket);
  }

  /** Closes the sockets in a handshake at this port. */
  drop(port: number | undefined): void {
    for (const socket of this.#handshaking.values()) if (socket.localPort === port) socket.destroy();
  }

  #create(options: TlsOptions): Server {
    const server = createServer({ ...options, handshakeTimeout: HANDSHAKE_MS }, (socket) => {
      this.#handshaking.delete(peerOf(socket));
      this.#events.secured(socket);
    });
    server.on('tlsClientError', ({ message }, socket) => {
      // A socket that the peer closed has no address.
      const { remoteAddress, remotePort } = socket;
      this.#events.rejected(remoteAddress === undefined ? 'gone' : `${remoteAddress}:${remotePort}`, message);
      socket.destroy();
    });
    return server;
  }
}

/** Includes the local port: two members may have a connection from the same port of a peer. */
function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
