import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * Maximum number of bytes that a client sends until the TLS handshake ends, if the engine asks for a certificate. A
 * first message with 2 KB and a chain of four certificates with RSA keys of 4,096 bits fit. OpenSSL verifies a whole
 * chain in one call, which takes up to 7 ms of CPU time per certificate of 1,400 bytes, and accepts 100 KB.
 */
export const MAX_HANDSHAKE_BYTES = 10_240;

/** The bytes of a socket in both directions. Until `release` is called, the received bytes are limited. */
export class LimitedHandshake extends Duplex {
  readonly socket: Socket;
  #left = MAX_HANDSHAKE_BYTES;
  /** False while bytes of the handshake wait for the turn of the connection. */
  #isInTurn = true;
  /** Whether the reader wants more bytes. */
  #isWanted = false;

  /** `inTurn` calls a function when it is the turn of the connection. */
  constructor(socket: Socket, inTurn: (run: () => void) => void) {
    super({ allowHalfOpen: false });
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#left -= bytes.length;
      if (this.#left < 0) this.destroy();
      else if (this.#left === Number.POSITIVE_INFINITY) this.#pass(bytes);
      else {
        socket.pause();
        this.#isInTurn = false;
        inTurn(() => {
          this.#isInTurn = true;
          this.#pass(bytes);
          if (this.#isWanted) socket.resume();
        });
      }
    });
    socket.once('end', () => this.push(null));
    socket.once('error', () => this.destroy());
    socket.once('close', () => this.destroy());
    socket.pause();
  }

  /** Must be called when the handshake has ended. */
  release(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }

  #pass(bytes: Buffer): void {
    if (this.destroyed) return;
    this.#isWanted = this.push(bytes);
    if (!this.#isWanted) this.socket.pause();
  }

  override _read(): void {
    this.#isWanted = true;
    if (this.#isInTurn) this.socket.resume();
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}
