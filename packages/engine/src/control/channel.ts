import type { Socket } from 'node:net';

const NEWLINE = 10;
const EMPTY = Buffer.alloc(0);
const HEADER_BYTES = 4;
/** Ends the bytes of a transfer. */
const END = Buffer.alloc(HEADER_BYTES);

/** A line of JSON that is made already, in another thread: it is sent as it is. */
export class EncodedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The other side has closed the connection in the middle of something. */
export class ChannelCut extends Error {
  override readonly name = 'ChannelCut';

  constructor() {
    super('the control connection was cut');
  }
}

/**
 * One end of a control connection. It carries lines, each a JSON document, and transfers: pieces of bytes, each behind
 * its length (32 bits, big-endian), and a length of 0 at the end. Nothing is read from the socket before somebody asks
 * for it, so that the other side can send no faster than this one takes.
 */
export class Channel {
  /** The longest line that is read, in bytes. */
  limit: number;
  /** Resolves when the connection has ended, by either side. */
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

  /** Nothing once the connection has ended. Throws when a line is too long or not JSON. */
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

  /** A line that answers the call `id` with what another thread has encoded. */
  writeEncoded(id: number, { text }: EncodedJson): void {
    if (!this.#socket.destroyed) this.#socket.write(`{"id":${id},"result":${text}}\n`);
  }

  /** The bytes of a transfer, as they come. Throws `ChannelCut` when the connection ends before they do. */
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

  /** Resolves when there is room for more; throws `ChannelCut` when nobody takes it any more. */
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

  /** Ends the connection once what was written has left; what still comes in is dropped. */
  async end(): Promise<void> {
    this.#socket.end();
    this.#rest = EMPTY;
    while ((await this.#next()) !== undefined);
  }

  /** Cuts the connection. */
  close(): void {
    this.#socket.destroy();
  }

  /** Or closed. */
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

  /** What has come with what was read before. */
  #kept(): Buffer | undefined {
    const rest = this.#rest;
    this.#rest = EMPTY;
    return rest.length > 0 ? rest : undefined;
  }

  /** What comes next; nothing once the connection has ended. */
  async #next(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#chunks.next();
      return done ? undefined : value;
    } catch {
      // Whatever ended it: whoever reads needs to know that it has ended.
      return undefined;
    }
  }
}

function cut(): never {
  throw new ChannelCut();
}
