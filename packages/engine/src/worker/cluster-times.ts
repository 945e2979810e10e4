import type { Reply } from '../message/reply.ts';
import { partsOfPosition } from '../storage/oplog/position.ts';
import { timestampAt } from '../storage/oplog/time.ts';
import { clusterTimes } from './answer.ts';
import type { LastWrite } from './protocol.ts';

/** The logical time of a cluster, as its answers show it: the time of its newest write. */
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

  /** The time of the newest write, committed or not. */
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

  /** Marks everything written so far as committed or undone. True if something was written since the last call. */
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
