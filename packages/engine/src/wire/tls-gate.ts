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
/** As for request headers: a slower peer is gone or hostile. */
const HANDSHAKE_MS = 10_000;

export interface TlsRules {
  /** The oldest version. */
  readonly minimum?: TlsProtocol | undefined;
  /** Authorities of client certificates, as PEM texts. */
  readonly authorities?: readonly string[];
}

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
  #asksForCertificates = false;

  constructor(events: TlsEvents) {
    this.#events = events;
  }

  /**
   * Sets the options of later connections. Clients are asked for a certificate if there are authorities that sign such
   * certificates. Throws if a certificate is invalid.
   */
  configure({ cert, key }: Certificate, { minimum = DEFAULT_MINIMUM, authorities = [] }: TlsRules): void {
    const options: TlsOptions = { cert, key, minVersion: versions[minimum] };
    const asks = authorities.length > 0;
    if (asks) {
      options.ca = [...authorities];
      // A resumed session lacks the certificates between that of the client and its authority.
      options.secureOptions = constants.SSL_OP_NO_TICKET;
    }
    // OpenSSL's security level 1 has no cipher for the two oldest versions.
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
    // How a TLS server adopts connections that another server has accepted.
    this.#server.emit('connection', socket);
  }

  /** Closes the sockets in a handshake at this port. */
  drop(port: number | undefined): void {
    for (const socket of this.#handshaking.values()) if (socket.localPort === port) socket.destroy();
  }

  #create(options: TlsOptions): Server {
    // Clients without a valid certificate log in with a password.
    const requests = { requestCert: options.ca !== undefined, rejectUnauthorized: false };
    const server = createServer({ ...options, ...requests, handshakeTimeout: HANDSHAKE_MS }, (socket) => {
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
