import type { Socket } from 'node:net';

const NEWLINE = 10;
const EMPTY = Buffer.alloc(0);
const HEADER_BYTES = 4;
/** The bytes that mark the end of a transfer: a piece with the length 0. */
const END = Buffer.alloc(HEADER_BYTES);

/** The peer has closed the connection before the end of a message or transfer. */
export class ChannelCut extends Error {
  override readonly name = 'ChannelCut';

  constructor() {
    super('the control connection was cut');
  }
}

/**
 * One end of a control connection. It sends and receives lines and transfers. A line is a JSON document. A transfer
 * consists of pieces of bytes, each after its length (32 bits, big-endian), and ends with a length of 0. This end reads
 * from the socket only when data is requested, so that a slow reader slows down the sender.
 */
export class Channel {
  /** Maximum length of a received line, in bytes. */
  limit: number;
  /** Resolves when either side has ended the connection. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = EMPTY;

  constructor(socket: Socket, limit: number) {
    this.#socket = socket;
    this.#chunks = socket[Symbol.asyncIterator]();
    this.limit = limit;
    this.closed = new Promise((resolve) => void socket.once('close', () => resolve()));
    socket.on('error', () => {});
  }

  /** Returns the next line, or undefined once the connection has ended. Throws if the line is too long or not JSON. */
  async line(): Promise<unknown> {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const chunk = this.#kept() ?? (await this.#next());
      if (chunk === undefined) return undefined;
      const end = chunk.indexOf(NEWLINE);
      const part = end === -1 ? chunk : chunk.subarray(0, end);
      size += part.length;
      if (size > this.limit) throw new Error(`a control message is longer than ${this.limit} bytes`);
      parts.push(part);
      if (end === -1) continue;
      this.#rest = chunk.subarray(end + 1);
      return JSON.parse(Buffer.concat(parts).toString());
    }
  }

  writeLine(document: object): void {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(document)}\n`);
  }

  /** Yields the bytes of a transfer. Throws `ChannelCut` if the connection ends before the transfer does. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      let left = (await this.#exactly(HEADER_BYTES)).readUInt32BE();
      if (left === 0) return;
      while (left > 0) {
        const chunk = this.#kept() ?? (await this.#next()) ?? cut();
        const part = chunk.subarray(0, left);
        this.#rest = chunk.subarray(part.length);
        left -= part.length;
        yield part;
      }
    }
  }

  /** Resolves when the socket accepts more data. Throws `ChannelCut` if the connection has ended. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(bytes.length);
    this.#socket.cork();
    this.#write(header);
    const room = this.#write(bytes);
    this.#socket.uncork();
    if (room) return;
    await this.#drained();
    if (this.#socket.destroyed) cut();
  }

  endBytes(): void {
    this.#write(END);
  }

  /** Ends the connection after the pending output. Discards further input. */
  async end(): Promise<void> {
    this.#socket.end();
    this.#rest = EMPTY;
    while ((await this.#next()) !== undefined);
  }

  /** Destroys the connection. */
  close(): void {
    this.#socket.destroy();
  }

  /** Resolves when the socket is drained or closed. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#socket.off('drain', done).off('close', done);
        resolve();
      };
      this.#socket.on('drain', done).on('close', done);
    });
  }

  #write(bytes: Uint8Array): boolean {
    return this.#socket.destroyed ? cut() : this.#socket.write(bytes);
  }

  async #exactly(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = size; missing > 0; ) {
      const chunk = this.#kept() ?? (await this.#next()) ?? cut();
      const part = chunk.subarray(0, missing);
      this.#rest = chunk.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** Returns bytes that were received with earlier data but not used yet. */
  #kept(): Buffer | undefined {
    const rest = this.#rest;
    this.#rest = EMPTY;
    return rest.length > 0 ? rest : undefined;
  }

  /** Returns the next chunk, or undefined once the connection has ended. */
  async #next(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#chunks.next();
      return done ? undefined : value;
    } catch {
      // The connection has ended. The reason does not matter.
      return undefined;
    }
  }
}

function cut(): never {
  throw new ChannelCut();
}
