import type { MessagePort } from 'node:worker_threads';
import type { WireCaller } from '../access/caller.ts';
import { HEADER_BYTES } from '../message/codec.ts';
import { eachReply, type Piece, pack } from '../worker/parcel.ts';
import type {
  Announced,
  CallerOfCluster,
  RepliesMessage,
  RequestsMessage,
  WireRequest,
} from '../worker/protocol.ts';

export type UnsentRequest = Omit<WireRequest, 'requestId'>;

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
  /** What the worker was told of who asks, by the ids of connections. */
  readonly #told = new Map<number, WireCaller>();
  #callers: CallerOfCluster[] = [];
  #batch: Piece[] = [];
  #lastId = 0;
  #closed = false;

  /** `onAnnounced` takes what concerns clusters as a whole, before the answers that follow. */
  constructor(port: MessagePort, onAnnounced: (announced: Announced) => void = () => {}) {
    this.#port = port;
    port.on('message', (message: RepliesMessage) => {
      if (!(message instanceof Uint8Array)) onAnnounced(message);
      eachReply(message, (requestId, document) => {
        const answered = this.#pending.get(requestId);
        this.#pending.delete(requestId);
        answered?.reply(document);
      });
    });
    port.on('close', () => this.#lose());
  }

  /** The worker has gone. */
  get closed(): boolean {
    return this.#closed;
  }

  send(request: UnsentRequest, answered: Answered): void {
    if (this.#closed) {
      answered.lost();
      return;
    }
    this.#lastId = (this.#lastId + 1) % 0x7fffffff;
    this.#pending.set(this.#lastId, answered);
    const { sections, caller, traffic, untimed } = request;
    this.#introduce(request);
    const requestId = this.#lastId;
    if (isHandedOver(sections)) {
      this.#flush({ requestId, ...request });
      return;
    }
    if (traffic !== undefined || untimed) {
      // A view would bring along all that lies in the same memory.
      this.#flush({ requestId, ...request, sections: new Uint8Array(sections) });
      return;
    }
    if (this.#batch.length === 0) setImmediate(() => this.#flush());
    this.#batch.push({ id: requestId, from: caller.connectionId, bytes: sections });
  }

  /** The connection is gone: what it waits for is not wanted any more. */
  gone(connectionId: number): void {
    if (this.#closed || !this.#told.delete(connectionId)) return;
    // Behind what it has sent itself.
    this.#flush();
    this.#post({ closed: [connectionId] });
  }

  close(): void {
    this.#port.close();
  }

  /** Tells who asks, unless the worker knows. */
  #introduce({ clusterId, caller }: CallerOfCluster): void {
    const known = this.#told.get(caller.connectionId);
    if (known === caller) return;
    // What was asked before was asked by whoever it was then.
    if (known !== undefined) this.#flush();
    this.#told.set(caller.connectionId, caller);
    this.#callers.push({ clusterId, caller });
  }

  /** Sends what waits; `alone` behind it, with memory of its own where it is large. */
  #flush(alone?: WireRequest): void {
    const callers = this.#callers;
    const parcel = this.#batch.length === 0 ? undefined : pack(this.#batch);
    const transfer = parcel === undefined ? [] : [parcel.buffer];
    this.#callers = [];
    this.#batch = [];
    if (callers.length === 0 && alone === undefined) {
      if (parcel !== undefined) this.#post(parcel, transfer);
      return;
    }
    if (alone !== undefined && isHandedOver(alone.sections))
      transfer.push(alone.sections.buffer as ArrayBuffer);
    this.#post({ callers, ...(parcel && { parcel }), ...(alone && { requests: [alone] }) }, transfer);
  }

  #post(message: RequestsMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
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
