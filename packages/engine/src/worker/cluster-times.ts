import type { Reply } from '../message/reply.ts';
import { partsOfPosition } from '../storage/oplog/position.ts';
import { timestampAt } from '../storage/oplog/time.ts';
import { clusterTimes } from './answer.ts';
import type { LastWrite } from './protocol.ts';

/** The logical time of a cluster, in the form of replies. It is the time of the newest write. */
export class ClusterTimes {
  /** The position of the newest oplog entry. */
  readonly #lastPosition: () => number;
  readonly #serviceNow: () => number;
  #now: Reply = {};
  #position = -1;
  #committed: Reply;
  #committedPosition: number;
  /** Service time of the newest committed write, in milliseconds. */
  #wall: number;

  constructor(lastPosition: () => number, serviceNow: () => number) {
    this.#lastPosition = lastPosition;
    this.#serviceNow = serviceNow;
    this.#committed = this.now;
    this.#committedPosition = this.#position;
    this.#wall = partsOfPosition(this.#position).seconds * 1000;
  }

  /** The time of the newest write, whether committed or not. */
  get now(): Reply {
    const position = this.#lastPosition();
    if (position !== this.#position) {
      this.#position = position;
      this.#now = clusterTimes(timestampAt(position));
    }
    return this.#now;
  }

  get committed(): Reply {
    return this.#committed;
  }

  /**
   * Records that all writes so far are committed or rolled back. Returns true if there were any since the last call.
   */
  commit(): boolean {
    this.#committed = this.now;
    if (this.#committedPosition === this.#position) return false;
    this.#committedPosition = this.#position;
    this.#wall = this.#serviceNow();
    return true;
  }

  get lastWrite(): Omit<LastWrite, 'clusterId'> {
    const { seconds, increment } = partsOfPosition(this.#committedPosition);
    return { seconds, increment, wall: this.#wall };
  }
}
