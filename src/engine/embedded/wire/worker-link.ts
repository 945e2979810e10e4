import type { MessagePort } from 'node:worker_threads';
import { HEADER_BYTES } from '../message/codec.ts';
import type { RepliesMessage, RequestsMessage, WireRequest } from '../worker/protocol.ts';

export type UnsentRequest = Omit<WireRequest, 'requestId'>;

export type Announced = Omit<RepliesMessage, 'replies'>;

export interface Answered {
  reply(document: Uint8Array): void;
  /** The worker has gone; whether the command took effect is not known. */
  lost(): void;
}

/** From this size on a message is handed over; smaller ones are cheaper to copy together. */
const HANDED_OVER_BYTES = 65_536;
/** The flags stand between header and sections. */
const BEFORE_SECTIONS = HEADER_BYTES + 4;

/** A connection thread's line to one query worker. Requests of one turn of the event loop travel together. */
export class WorkerLink {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, Answered>();
  #batch: WireRequest[] = [];
  #lastId = 0;
  #closed = false;

  /** `onAnnounced` takes what concerns clusters as a whole, before the answers that follow. */
  constructor(port: MessagePort, onAnnounced: (announced: Announced) => void = () => {}) {
    this.#port = port;
    port.on('message', ({ replies, ...announced }: RepliesMessage) => {
      if (announced.commits !== undefined || announced.accounts !== undefined) onAnnounced(announced);
      for (const { requestId, document } of replies) {
        const answered = this.#pending.get(requestId);
        this.#pending.delete(requestId);
        answered?.reply(document);
      }
    });
    port.on('close', () => this.#lose());
  }

  send(request: UnsentRequest, answered: Answered): void {
    if (this.#closed) {
      answered.lost();
      return;
    }
    this.#lastId = (this.#lastId + 1) % 0x7fffffff;
    this.#pending.set(this.#lastId, answered);
    if (this.#batch.length === 0) setImmediate(() => this.#flush());
    this.#batch.push({ requestId: this.#lastId, ...request });
  }

  /** The connection is gone: what it waits for is not wanted any more. */
  gone(connectionId: number): void {
    if (this.#closed) return;
    // Behind what it has sent itself.
    this.#flush();
    this.#port.postMessage({ requests: [], closed: [connectionId] } satisfies RequestsMessage);
  }

  close(): void {
    this.#port.close();
  }

  #flush(): void {
    if (this.#batch.length === 0) return;
    const transfer: ArrayBuffer[] = [];
    const small = this.#batch.filter(({ sections }) => !isHandedOver(sections));
    const packed = pack(small.map(({ sections }) => sections));
    if (small.length > 0) transfer.push(packed.buffer);
    let next = 0;
    const requests = this.#batch.map((request): WireRequest => {
      if (isHandedOver(request.sections)) {
        transfer.push(request.sections.buffer as ArrayBuffer);
        return request;
      }
      return { ...request, sections: packed.parts[next++] as Uint8Array };
    });
    this.#batch = [];
    this.#port.postMessage({ requests } satisfies RequestsMessage, transfer);
  }

  #lose(): void {
    this.#closed = true;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const answered of lost) answered.lost();
  }
}

/** Large, and the last thing in memory of its own: whatever else lay there would be gone on this side. */
function isHandedOver({ byteLength, byteOffset, buffer }: Uint8Array): boolean {
  const alone = byteOffset === BEFORE_SECTIONS && byteOffset + byteLength === buffer.byteLength;
  return alone && byteLength >= HANDED_OVER_BYTES;
}

/** One piece of memory for all: a view alone would drag the whole buffer behind it across the threads. */
function pack(all: readonly Uint8Array[]): { buffer: ArrayBuffer; parts: Uint8Array[] } {
  const buffer = new ArrayBuffer(all.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  const parts = all.map((bytes) => {
    const part = new Uint8Array(buffer, at, bytes.byteLength);
    part.set(bytes);
    at += bytes.byteLength;
    return part;
  });
  return { buffer, parts };
}
