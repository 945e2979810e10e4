import type { MessagePort } from 'node:worker_threads';
import type { WireCaller } from '../access/caller.ts';
import { HEADER_BYTES } from '../message/codec.ts';
import { eachReply, type ParcelMessage, pack } from '../worker/parcel.ts';
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
  /** Called if the query thread has ended. Whether the command has taken effect is unknown. */
  lost(): void;
}

/**
 * Messages of this size or more are transferred. Smaller messages are copied together in a batch, because that is
 * faster.
 */
const TRANSFERRED_BYTES = 65_536;
/** The length of the header and flags before the sections. */
const BEFORE_SECTIONS = HEADER_BYTES + 4;

/**
 * The channel from a connection thread to a query thread. Requests of the same event loop iteration are sent together.
 */
export class WorkerLink {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, Answered>();
  /** The callers that have been sent to the query thread, by connection id. */
  readonly #announcedCallers = new Map<number, WireCaller>();
  #callers: CallerOfCluster[] = [];
  #batch: ParcelMessage[] = [];
  /** The connections that have closed since the last message. */
  #gone: number[] = [];
  #scheduled = false;
  #lastId = 0;
  #closed = false;

  /**
   * `onAnnounced` receives messages about whole clusters. Such a message arrives before the replies that depend on it.
   */
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
    port.on('close', () => this.#rejectPending());
  }

  /** True if the query thread has ended. */
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
    if (isTransferred(sections)) {
      this.#flush({ requestId, ...request });
      return;
    }
    if (traffic !== undefined || untimed) {
      // Copy the sections, because posting a view would copy its whole buffer.
      this.#flush({ requestId, ...request, sections: new Uint8Array(sections) });
      return;
    }
    this.#schedule();
    const moreToCome = request.moreToCome === true;
    this.#batch.push({ id: requestId, from: caller.connectionId, moreToCome, bytes: sections });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#closed) this.#flush();
    });
  }

  /** Reports a closed connection. Replies to its requests are no longer needed. */
  gone(connectionId: number): void {
    if (this.#closed || !this.#announcedCallers.delete(connectionId)) return;
    this.#gone.push(connectionId);
    this.#schedule();
  }

  close(): void {
    this.#port.close();
  }

  /** Sends the caller to the query thread, unless this was done before. */
  #introduce({ clusterId, caller }: CallerOfCluster): void {
    const known = this.#announcedCallers.get(caller.connectionId);
    if (known === caller) return;
    // Earlier requests of the connection belong to its previous caller, so send them first.
    if (known !== undefined) this.#flush();
    this.#announcedCallers.set(caller.connectionId, caller);
    this.#callers.push({ clusterId, caller });
  }

  /** Sends the batch, and then `alone` in a separate message. If `alone` is large, its buffer is transferred. */
  #flush(alone?: WireRequest): void {
    const callers = this.#callers;
    const gone = this.#gone;
    const parcel = this.#batch.length === 0 ? undefined : pack(this.#batch);
    const transfer = parcel === undefined ? [] : [parcel.buffer];
    this.#callers = [];
    this.#batch = [];
    this.#gone = [];
    if (callers.length === 0 && gone.length === 0 && alone === undefined) {
      if (parcel !== undefined) this.#post(parcel, transfer);
      return;
    }
    if (alone !== undefined && isTransferred(alone.sections))
      transfer.push(alone.sections.buffer as ArrayBuffer);
    const requests = { ...(parcel && { parcel }), ...(alone && { requests: [alone] }) };
    this.#post({ callers, ...requests, ...(gone.length > 0 && { closed: gone }) }, transfer);
  }

  #post(message: RequestsMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  #rejectPending(): void {
    this.#closed = true;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const answered of lost) answered.lost();
  }
}

/**
 * True if the sections are large and fill their whole buffer. Only then may the buffer be transferred, because this
 * thread can no longer use a transferred buffer.
 */
function isTransferred({ byteLength, byteOffset, buffer }: Uint8Array): boolean {
  const alone = byteOffset === BEFORE_SECTIONS && byteOffset + byteLength === buffer.byteLength;
  return alone && byteLength >= TRANSFERRED_BYTES;
}
