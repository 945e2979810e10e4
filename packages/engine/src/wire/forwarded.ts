import { MAX_MESSAGE_BYTES } from '../message/codec.ts';

/**
 * Maximum number of requests of a cluster for which the clients expect no reply. The query thread examines the list of
 * its waiting requests about every 10 ms, and each request in it takes about a kilobyte.
 */
const MAX_UNANSWERED = 1_000;
/** Maximum number of requests of a cluster whose connections have closed while the query thread has the requests. */
const MAX_OF_CLOSED = 1_000;
/** Maximum number of bytes of a cluster's requests at the query thread. */
const MAX_FORWARDED_BYTES = 536_870_912;
/**
 * Maximum number and total size of the requests of a cluster that stay in the queue after their connections have
 * closed. Further requests are dropped when their connections close.
 */
const MAX_KEPT = 1_000;
const MAX_KEPT_BYTES = MAX_MESSAGE_BYTES;
/** Requests below this size do not wait until large ones have ended, because they may have to kill the large ones. */
const LARGE_BYTES = 65_536;

/** A request for the query thread. */
interface Sendable {
  readonly bytes: number;
  /** True if the client expects no reply. */
  readonly moreToCome: boolean;
}

interface Waiting {
  readonly request: Sendable;
  readonly run: () => void;
}

/**
 * The requests of a cluster that the query thread has received and not answered yet, including the requests of closed
 * connections. If requests of closed connections did not count, a client could exceed the limits by opening new
 * connections.
 */
export class ForwardedOfCluster {
  /** Number of bytes of the requests at the query thread. */
  #sentBytes = 0;
  #keptBytes = 0;
  #kept = 0;
  #unanswered = 0;
  #ofClosed = 0;
  /** The waiting requests, by kind, so that no request waits for the limit of another kind. */
  readonly #waiting = {
    small: new Set<Waiting>(),
    large: new Set<Waiting>(),
    unanswered: new Set<Waiting>(),
  };

  /** Number of bytes of the requests at the query thread, and of the waiting requests of closed connections. */
  get bytes(): number {
    return this.#sentBytes + this.#keptBytes;
  }

  /** Calls `run` now, or later if the cluster has too many requests. The returned function cancels the call. */
  whenAdmitted(request: Sendable, run: () => void): (() => void) | undefined {
    const queue = this.#waiting[kindOf(request)];
    if (queue.size === 0 && this.#admits(request)) {
      run();
      return undefined;
    }
    const waiting = { request, run };
    queue.add(waiting);
    return () => void queue.delete(waiting);
  }

  #admits({ bytes, moreToCome }: Sendable): boolean {
    if (moreToCome && this.#unanswered >= MAX_UNANSWERED) return false;
    if (this.#ofClosed >= MAX_OF_CLOSED) return false;
    return bytes < LARGE_BYTES || this.#sentBytes + bytes <= MAX_FORWARDED_BYTES;
  }

  add({ bytes, moreToCome }: Sendable): void {
    this.#sentBytes += bytes;
    if (moreToCome) this.#unanswered++;
  }

  /** Removes a request that has ended. */
  remove({ bytes, moreToCome }: Sendable, closed: boolean): void {
    this.#sentBytes -= bytes;
    if (moreToCome) this.#unanswered--;
    if (closed) this.#ofClosed--;
    this.#wake();
  }

  /**
   * Keeps a waiting request in the queue after its connection has closed, if the limits permit this. Returns true if it
   * is kept. In this case, `release` must be called when the request is sent.
   */
  keep({ bytes, moreToCome }: Sendable): boolean {
    if (!moreToCome || this.#kept >= MAX_KEPT || this.#keptBytes + bytes > MAX_KEPT_BYTES) return false;
    this.#kept++;
    this.#keptBytes += bytes;
    return true;
  }

  release({ bytes }: Sendable): void {
    this.#kept--;
    this.#keptBytes -= bytes;
  }

  /** Counts the requests that the query thread has at the time when their connection closes. */
  closed(requests: number): void {
    this.#ofClosed += requests;
  }

  #wake(): void {
    for (const queue of Object.values(this.#waiting)) {
      for (const waiting of queue) {
        if (!this.#admits(waiting.request)) break;
        queue.delete(waiting);
        waiting.run();
      }
    }
  }
}

function kindOf({ bytes, moreToCome }: Sendable): 'small' | 'large' | 'unanswered' {
  if (moreToCome) return 'unanswered';
  return bytes < LARGE_BYTES ? 'small' : 'large';
}

/** The requests of a connection that the query thread has not answered yet. */
export class Forwarded {
  readonly #cluster: ForwardedOfCluster;
  #count = 0;
  #unanswered = 0;
  #unansweredBytes = 0;
  /** The request that waits for a limit. */
  #waiting: { readonly request: Sendable; readonly cancel: () => void } | undefined;
  /** True if the connection has closed. */
  closed = false;

  constructor(cluster: ForwardedOfCluster) {
    this.#cluster = cluster;
  }

  /** Number of requests that the query thread has not answered. */
  get count(): number {
    return this.#count;
  }

  /**
   * True if the connection must read no further messages until one of its unacknowledged requests has ended.
   */
  get full(): boolean {
    return this.#unanswered > 0 && this.#unansweredBytes >= MAX_MESSAGE_BYTES;
  }

  /**
   * Calls `send` when the cluster admits the request. If the connection closes earlier, `send` is called only for
   * an unacknowledged request. `send` receives a function to call when the request has ended.
   */
  send(request: Sendable, send: (ended: () => void) => void): void {
    const cancel = this.#cluster.whenAdmitted(request, () => {
      this.#waiting = undefined;
      this.#add(request);
      if (this.closed) {
        this.#cluster.release(request);
        this.#cluster.closed(1);
      }
      send(() => this.#remove(request));
    });
    if (cancel !== undefined) this.#waiting = { request, cancel };
  }

  #add(request: Sendable): void {
    this.#count++;
    if (request.moreToCome) {
      this.#unanswered++;
      this.#unansweredBytes += request.bytes;
    }
    this.#cluster.add(request);
  }

  #remove(request: Sendable): void {
    this.#count--;
    if (request.moreToCome) {
      this.#unanswered--;
      this.#unansweredBytes -= request.bytes;
    }
    this.#cluster.remove(request, this.closed);
  }

  /**
   * Must be called when the connection has closed. Requests at the query thread count until they have ended. A waiting
   * unacknowledged request stays, because many clients close their connections after such writes.
   */
  close(): void {
    this.closed = true;
    if (this.#waiting !== undefined && !this.#cluster.keep(this.#waiting.request)) this.#waiting.cancel();
    this.#cluster.closed(this.#count);
  }
}
