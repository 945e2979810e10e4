import type { Socket } from 'node:net';
import type { SerialQueue } from '@portolan/foundation/serial-queue';
import { type OpMsg, type OpQuery, opMsgHead, opReplyHead } from '../message/codec.ts';
import { compress } from './compressed.ts';
import type { Compressor } from './compression.ts';

/** Replies below this size are copied into one buffer with their header, so that both fit into one packet. */
const COPIED_BYTES = 16_384;
/** Compressing a reply of this size takes a millisecond or more. */
const SLOW_BYTES = 65_536;

/** Writes the replies of one connection to its socket. */
export class ReplyWriter {
  readonly #socket: Socket;
  readonly #traffic: { bytesOut: number };
  readonly #slowWrites: SerialQueue;
  #lastId = 0;

  /** `traffic` counts the sent bytes. `slowWrites` compresses large replies. */
  constructor(socket: Socket, traffic: { bytesOut: number }, slowWrites: SerialQueue) {
    this.#socket = socket;
    this.#traffic = traffic;
    this.#slowWrites = slowWrites;
  }

  /**
   * Writes a reply. If the reply is large and is compressed in the background, returns a promise. Nothing else may be
   * written until the promise resolves.
   */
  msg(
    to: Pick<OpMsg, 'requestId'>,
    document: Uint8Array,
    compressor?: Compressor,
  ): Promise<void> | undefined {
    const head = opMsgHead(this.#nextId(), to.requestId, document.length);
    // Small replies are compressed as well, as on the server, because a client may rely on this.
    if (compressor === undefined) {
      this.#write(head, document);
      return undefined;
    }
    const work = () => compress(head, document, compressor);
    const packed = document.length < SLOW_BYTES ? work() : this.#slowWrites.run(work);
    if (packed instanceof Promise) return packed.then((bytes) => this.#write(bytes));
    this.#write(packed);
    return undefined;
  }

  /**
   * Writes one of several replies to the same request. Returns the id of this reply. The next reply refers to this id.
   */
  streamed(responseTo: number, document: Uint8Array): number {
    const id = this.#nextId();
    this.#write(opMsgHead(id, responseTo, document.length, true), document);
    return id;
  }

  query(to: OpQuery, document: Uint8Array): void {
    this.#write(opReplyHead(this.#nextId(), to.requestId, document.length), document);
  }

  #write(head: Buffer, document?: Uint8Array): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    this.#traffic.bytesOut += head.length + (document?.length ?? 0);
    if (document === undefined) socket.write(head);
    else if (document.length < COPIED_BYTES) socket.write(Buffer.concat([head, document]));
    else {
      socket.cork();
      socket.write(head);
      socket.write(document, () => release(document));
      socket.uncork();
    }
  }

  #nextId(): number {
    this.#lastId = (this.#lastId + 1) | 0;
    return this.#lastId;
  }
}

/**
 * Frees the memory of a reply that was sent. V8 counts the memory of buffers towards its limits, so large replies would
 * otherwise make this thread collect all its garbage several times per second.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === byteLength)
    buffer.transfer(0);
}
