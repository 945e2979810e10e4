import type { MessagePort } from 'node:worker_threads';
import { type ParcelMessage, pack, unpack } from './parcel.ts';
import type {
  Announced,
  CallerOfCluster,
  LastWrite,
  RepliesMessage,
  RequestsMessage,
  WireReply,
  WireRequest,
} from './protocol.ts';

/** Replies of this size or more are transferred. Smaller ones are cheaper to copy into a parcel. */
const TRANSFERRED_BYTES = 16_384;

interface Requests {
  submit(request: WireRequest): void;
  disconnected(connectionIds: ReadonlySet<number>): void;
}

/** The query thread's end of the channel to a connection thread. */
export class RequestPort {
  readonly #port: MessagePort;
  /** The callers by connection id. */
  readonly #callers = new Map<number, CallerOfCluster>();
  #small: ParcelMessage[] = [];
  #large: WireReply[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** Handles a message of the connection thread. */
  receive(message: RequestsMessage, to: Requests): void {
    const { callers = [], parcel, requests = [], closed = [] } = sorted(message);
    for (const one of callers) this.#callers.set(one.caller.connectionId, one);
    if (parcel !== undefined) this.#unpack(parcel, to);
    for (const request of requests) to.submit(request);
    for (const connectionId of closed) this.#callers.delete(connectionId);
    if (closed.length > 0) to.disconnected(new Set(closed));
  }

  #unpack(parcel: Uint8Array, to: Requests): void {
    unpack(parcel, ({ id: requestId, from: connectionId, moreToCome, bytes: sections }) => {
      const from = this.#callers.get(connectionId);
      if (from === undefined) throw new Error(`the caller of connection ${connectionId} is unknown`);
      const { clusterId, caller } = from;
      to.submit({ requestId, clusterId, caller, sections, ...(moreToCome && { moreToCome }) });
    });
  }

  /** Keeps a reply until `flush`. */
  reply(requestId: number, document: Uint8Array): void {
    if (document.length < TRANSFERRED_BYTES)
      this.#small.push({ id: requestId, from: 0, moreToCome: false, bytes: document });
    else this.#large.push({ requestId, document });
  }

  /** Sends the pending replies, preceded by the newest writes. */
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
