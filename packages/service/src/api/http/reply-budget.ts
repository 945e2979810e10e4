import { BodyBudget, SHARE_BYTES } from './body-budget.ts';

/** A part of the budget. A reply holds it until the reply is sent. */
export interface HeldReply {
  /**
   * Changes the size, if the reply is larger or smaller than expected. Never fails, because the reply already exists.
   */
  resize(bytes: number): void;
  release(): void;
}

/** Maximum number of large replies of an owner that wait to be made. Each keeps what the handler has read, up to 10 MB. */
const MAX_WAITING = 32;

/** Limits the total memory of large replies, from their creation until they are sent. */
export class ReplyBudget {
  readonly #budget = new BodyBudget();

  /** Reserves space for a reply of an owner. Throws 503 if too little space is left. */
  reserve(bytes: number, owner: string): HeldReply {
    this.#budget.reserve(bytes, owner);
    return this.#held(bytes, owner);
  }

  /** Like `reserve` without a size, but never fails. For replies to writes, which have already been executed. */
  hold(owner: string): HeldReply {
    return this.#held(0, owner);
  }

  #held(bytes: number, owner: string): HeldReply {
    let held = bytes;
    const resize = (size: number) => {
      this.#budget.release(held - size, owner);
      held = size;
    };
    return { resize, release: () => resize(0) };
  }

  /** Throws 503 if too many replies of an owner wait, or if unsent ones fill its share. */
  checkShare(owner: string): void {
    const isFull = this.#budget.heldBy(owner) > SHARE_BYTES || this.#budget.waitingOf(owner) >= MAX_WAITING;
    if (isFull) this.#budget.refuse();
  }

  /** Makes a reply of this size. Owners with large replies take turns. */
  run<T>(bytes: number, owner: string, make: () => Promise<T>): Promise<T> {
    return this.#budget.run(bytes, owner, make);
  }
}
