import { AsyncLocalStorage } from 'node:async_hooks';
import { constants } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer, type SecureVersion, type Server, type TLSSocket, type TlsOptions } from 'node:tls';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { TlsProtocol } from '../interface/engine.ts';
import { LimitedHandshake } from './limited-handshake.ts';

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
  /** Handshakes that wait for their turn. */
  readonly #waiting: (() => void)[] = [];

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
    if (this.#asksForCertificates) {
      const limited = new LimitedHandshake(socket, (run) => this.#inTurn(run));
      limitedHandshake.run(limited, () => this.#handshake(limited));
    } else this.#handshakeInTurn(socket);
  }

  /** Passes the socket to the TLS server, which does not listen itself. */
  #handshake(socket: Duplex): void {
    const server: EventEmitter | undefined = this.#server;
    server?.emit('connection', socket);
  }

  /** Begins the handshake when the client has sent something, and it is the turn of the connection. */
  #handshakeInTurn(socket: Socket): void {
    const end = () => socket.destroy();
    socket.once('error', end).setTimeout(HANDSHAKE_MS, end);
    socket.once('readable', () => {
      const begun = socket.read() as Buffer | null;
      if (begun === null) {
        end();
        return;
      }
      // Put the bytes back for the TLS server.
      socket.unshift(begun);
      this.#inTurn(() => {
        socket.off('error', end).setTimeout(0, end);
        if (!socket.destroyed) this.#handshake(socket);
      });
    });
  }

  /**
   * Calls one function per turn of the event loop. A step of a handshake takes 0.3 ms of CPU time, and much longer if it
   * verifies certificates of the client. A client can begin thousands of handshakes at once.
   */
  #inTurn(run: () => void): void {
    this.#waiting.push(run);
    if (this.#waiting.length > 1) return;
    const next = () => {
      this.#waiting[0]?.();
      this.#waiting.shift();
      if (this.#waiting.length > 0) setImmediate(next);
    };
    setImmediate(next);
  }

  /** Closes the sockets that are in a handshake at this port. */
  drop(port: number | undefined): void {
    for (const socket of this.#handshaking.values()) if (socket.localPort === port) socket.destroy();
  }

  #create(options: TlsOptions): Server {
    // Do not reject a client without a valid certificate: it can log in with a password.
    const requests = { requestCert: options.ca !== undefined, rejectUnauthorized: false };
    const server = createServer({ ...options, ...requests, handshakeTimeout: HANDSHAKE_MS }, (socket) => {
      const limited = limitedHandshake.getStore();
      if (limited !== undefined) {
        limited.release();
        takeAddresses(socket, limited.socket);
      }
      this.#handshaking.delete(peerOf(socket));
      this.#events.secured(socket);
    });
    server.on('tlsClientError', ({ message }, socket) => {
      // If the peer has already closed the socket, the socket has no address.
      const { remoteAddress, remotePort } = limitedHandshake.getStore()?.socket ?? socket;
      this.#events.rejected(remoteAddress === undefined ? 'gone' : `${remoteAddress}:${remotePort}`, message);
      socket.destroy();
    });
    return server;
  }
}

/** The handshake that the TLS server is performing, if its bytes are limited. */
const limitedHandshake = new AsyncLocalStorage<LimitedHandshake>();

/** Gives a TLS connection the addresses of its socket, which Node knows only if the connection reads the socket itself. */
function takeAddresses(secured: TLSSocket, socket: Socket): void {
  for (const name of ['remoteAddress', 'remotePort', 'localAddress', 'localPort'] as const)
    Object.defineProperty(secured, name, { value: socket[name] });
}

/**
 * Returns the remote address and port, and the local port, because a peer may connect to two members from the same
 * port.
 */
function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
