import type { MessagePort } from 'node:worker_threads';
import { type Piece, pack, unpack } from './parcel.ts';
import type {
  Announced,
  CallerOfCluster,
  LastWrite,
  RepliesMessage,
  RequestsMessage,
  WireReply,
  WireRequest,
} from './protocol.ts';

/** From this size on an answer is handed over; smaller ones are cheaper to copy together. */
const HANDED_OVER_BYTES = 16_384;

interface Requests {
  submit(request: WireRequest): void;
  disconnected(connectionId: number): void;
}

/** A query worker's end of the line to one connection thread. */
export class RequestPort {
  readonly #port: MessagePort;
  /** By the ids of their connections. */
  readonly #callers = new Map<number, CallerOfCluster>();
  #small: Piece[] = [];
  #large: WireReply[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** Takes what the connection thread has sent. */
  receive(message: RequestsMessage, to: Requests): void {
    const { callers = [], parcel, requests = [], closed = [] } = sorted(message);
    for (const one of callers) this.#callers.set(one.caller.connectionId, one);
    if (parcel !== undefined) this.#unpack(parcel, to);
    for (const request of requests) to.submit(request);
    for (const connectionId of closed) {
      this.#callers.delete(connectionId);
      to.disconnected(connectionId);
    }
  }

  #unpack(parcel: Uint8Array, to: Requests): void {
    unpack(parcel, (requestId, connectionId, sections) => {
      const from = this.#callers.get(connectionId);
      if (from === undefined) throw new Error(`nobody has told who asks over connection ${connectionId}`);
      to.submit({ requestId, clusterId: from.clusterId, caller: from.caller, sections });
    });
  }

  /** Keeps an answer until `flush`. */
  reply(requestId: number, document: Uint8Array): void {
    if (document.length < HANDED_OVER_BYTES) this.#small.push({ id: requestId, from: 0, bytes: document });
    else this.#large.push({ requestId, document });
  }

  /** Sends the answers that are there, and before them the newest writes. */
  flush(commits: readonly LastWrite[]): void {
    const replies = this.#large;
    const transfer: ArrayBuffer[] = [];
    for (const { document } of replies)
      if (document.buffer instanceof ArrayBuffer) transfer.push(document.buffer);
    const parcel = this.#small.length === 0 ? undefined : pack(this.#small);
    if (parcel !== undefined) transfer.push(parcel.buffer);
    this.#small = [];
    this.#large = [];
    if (commits.length > 0 || replies.length > 0) {
      const whole = { ...(parcel && { parcel }), ...(replies.length > 0 && { replies }) };
      this.#post({ ...whole, ...(commits.length > 0 && { commits }) }, transfer);
    } else if (parcel !== undefined) this.#post(parcel, transfer);
  }

  announce(announced: Announced): void {
    this.#post(announced);
  }

  close(): void {
    this.#port.close();
  }

  #post(message: RepliesMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

function sorted(message: RequestsMessage): Exclude<RequestsMessage, Uint8Array> {
  return message instanceof Uint8Array ? { parcel: message } : message;
}
