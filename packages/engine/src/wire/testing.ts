import { connect, type Socket } from 'node:net';
import { type Document, deserialize, serialize } from 'bson';
import { HEADER_BYTES, MAX_MESSAGE_BYTES } from '../message/codec.ts';
import { type Expanded, expand, isCompressed } from './compressed.ts';
import { FrameReader } from './frame-reader.ts';

/** This file builds wire messages for tests byte by byte, and contains a client that sends them. */

export function wireMessage(opcode: number, ...parts: readonly Uint8Array[]): Buffer {
  const rest = Buffer.concat(parts);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + rest.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(opcode, 12);
  return Buffer.concat([header, rest]);
}

export function opMsg(flags: number, ...sections: readonly Uint8Array[]): Buffer {
  return wireMessage(2013, int32(flags), ...sections);
}

export function opQuery(namespace: string, query: Uint8Array): Buffer {
  return wireMessage(2004, int32(0), Buffer.from(`${namespace}\0`), int32(0), int32(-1), query);
}

export function body(document: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(0), document]);
}

export function sequence(name: string, documents: readonly Uint8Array[]): Buffer {
  const rest = Buffer.concat([Buffer.from(`${name}\0`), ...documents]);
  return Buffer.concat([Buffer.of(1), int32(4 + rest.length), rest]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** A client that sends exactly the given messages. */
export class WireClient {
  readonly closed: Promise<void>;
  /** Called with the bytes of every reply. */
  onMessage: (bytes: Buffer) => void = () => {};
  readonly #socket: Socket;
  readonly #reader = new FrameReader(MAX_MESSAGE_BYTES);
  #waiting: Array<(reply: Document) => void> = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk);
      for (let bytes = this.#reader.next(); bytes !== undefined; bytes = this.#reader.next()) {
        this.onMessage(bytes);
        const next = isCompressed(bytes) ? (expand(bytes, MAX_MESSAGE_BYTES) as Expanded).bytes : bytes;
        // In an OP_MSG, 5 bytes are between the header and the document. In an OP_REPLY, there are 20 bytes.
        const start = HEADER_BYTES + (next.readInt32LE(12) === 1 ? 20 : 5);
        this.#waiting.shift()?.(deserialize(next.subarray(start)));
      }
    });
  }

  static connect(port: number): Promise<WireClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(new WireClient(socket)));
      socket.once('error', reject);
    });
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Resolves to the next reply. Rejects if the connection ends first. */
  receive(): Promise<Document> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(resolve);
      void this.closed.then(() => reject(new Error('the connection was closed')));
    });
  }

  command(document: Document): Promise<Document> {
    const answer = this.receive();
    this.send(opMsg(0, body(serialize(document))));
    return answer;
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** Returns how many other tasks of this thread run before the promise is fulfilled. */
export async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const count = () => {
    turns++;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await promise;
  done = true;
  return turns;
}
