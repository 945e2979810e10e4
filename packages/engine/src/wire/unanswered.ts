import { MAX_MESSAGE_BYTES } from '../message/codec.ts';

/**
 * Maximum number of unanswered requests of a cluster. The query thread examines the list of its waiting requests about
 * every 10 ms, and each request in it takes about a kilobyte.
 */
const MAX_OF_CLUSTER = 1_000;

/** The number of requests that the connections of a cluster have sent with `moreToCome` and that still run or wait. */
export class UnansweredOfCluster {
  count = 0;

  /** True if a connection that already has unanswered requests must wait before it sends another one. */
  get full(): boolean {
    return this.count >= MAX_OF_CLUSTER;
  }
}

/** The requests of a connection with the flag `moreToCome`, after which the client does not wait for a reply. */
export class Unanswered {
  readonly #cluster: UnansweredOfCluster;
  #count = 0;
  #bytes = 0;

  constructor(cluster: UnansweredOfCluster) {
    this.#cluster = cluster;
  }

  /**
   * True if the connection must read no further messages until one of the requests has ended. A connection without such
   * requests is never full, because nothing would tell it to continue.
   */
  get full(): boolean {
    return this.#count > 0 && (this.#bytes >= MAX_MESSAGE_BYTES || this.#cluster.full);
  }

  add(bytes: number): void {
    this.#count++;
    this.#bytes += bytes;
    this.#cluster.count++;
  }

  remove(bytes: number): void {
    this.#count--;
    this.#bytes -= bytes;
    this.#cluster.count--;
  }

  /** Removes all requests, because the connection has closed. */
  clear(): void {
    this.#cluster.count -= this.#count;
    this.#count = 0;
    this.#bytes = 0;
  }
}
