import { constants } from 'node:crypto';
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
/** Maximum duration of a TLS handshake. A peer that takes longer has disappeared or is hostile. */
const HANDSHAKE_MS = 10_000;

export interface TlsRules {
  /** The oldest accepted TLS version. */
  readonly minimum?: TlsProtocol | undefined;
  /** PEM certificates of the authorities of client certificates. */
  readonly authorities?: readonly string[];
}

export interface TlsEvents {
  secured(socket: TLSSocket): void;
  rejected(remote: string, reason: string): void;
}

/**
 * Performs the TLS handshake for the connections of a cluster. While there is no certificate, closes every connection.
 */
export class TlsGate {
  readonly #events: TlsEvents;
  /** The sockets that are in a handshake, by the addresses of both ends. */
  readonly #handshaking = new Map<string, Socket>();
  #server: Server | undefined;
  #asksForCertificates = false;

  constructor(events: TlsEvents) {
    this.#events = events;
  }

  /**
   * Sets the options for later connections. If there are authorities for client certificates, requests a certificate
   * from clients. Throws if a certificate is invalid.
   */
  configure({ cert, key }: Certificate, { minimum = DEFAULT_MINIMUM, authorities = [] }: TlsRules): void {
    const options: TlsOptions = { cert, key, minVersion: versions[minimum] };
    const asks = authorities.length > 0;
    if (asks) {
      options.ca = [...authorities];
      // Disable session resumption, because a resumed session lacks the intermediate certificates of the client.
      options.secureOptions = constants.SSL_OP_NO_TICKET;
    }
    // Use OpenSSL's security level 0. At level 1, the two oldest TLS versions have no cipher.
    if (minimum === 'TLS1_0' || minimum === 'TLS1_1') options.ciphers = 'DEFAULT@SECLEVEL=0';
    if (this.#server === undefined || asks !== this.#asksForCertificates)
      this.#server = this.#create(options);
    else this.#server.setSecureContext(options);
    this.#asksForCertificates = asks;
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
    // Pass the socket to the TLS server, which does not listen itself.
    this.#server.emit('connection', socket);
  }

  /** Closes the sockets that are in a handshake at this port. */
  drop(port: number | undefined): void {
    for (const socket of this.#handshaking.values()) if (socket.localPort === port) socket.destroy();
  }

  #create(options: TlsOptions): Server {
    // Do not reject a client without a valid certificate: it can log in with a password.
    const requests = { requestCert: options.ca !== undefined, rejectUnauthorized: false };
    const server = createServer({ ...options, ...requests, handshakeTimeout: HANDSHAKE_MS }, (socket) => {
      this.#handshaking.delete(peerOf(socket));
      this.#events.secured(socket);
    });
    server.on('tlsClientError', ({ message }, socket) => {
      // If the peer has already closed the socket, the socket has no address.
      const { remoteAddress, remotePort } = socket;
      this.#events.rejected(remoteAddress === undefined ? 'gone' : `${remoteAddress}:${remotePort}`, message);
      socket.destroy();
    });
    return server;
  }
}

/**
 * Returns the remote address and port, and the local port, because a peer may connect to two members from the same
 * port.
 */
function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
