import { BodyBudget, SHARE_BYTES } from './body-budget.ts';

/** A part of the budget. A reply holds it until the reply is sent. */
export interface HeldReply {
  /**
   * Changes the size, if the reply is larger or smaller than expected. Never fails, because the reply already exists.
   */
  resize(bytes: number): void;
  release(): void;
}

/**
 * While this many large replies of an owner wait to be made, its further requests wait before they are executed. Each
 * waiting reply keeps what its handler has read, up to 10 MB.
 */
const MAX_WAITING = 32;

/** Limits the total memory of large replies, from their creation until they are sent. */
export class ReplyBudget {
  readonly #budget = new BodyBudget();
  /** The requests that wait until they may be executed, by owner. */
  readonly #outside = new Map<string, (() => void)[]>();

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

  /**
   * Must be called before a request is executed, and `leave` afterwards. Waits while too many replies of the owner wait.
   * Throws 503 if unsent replies fill the share of the owner.
   */
  async enter(owner: string): Promise<void> {
    if (this.#budget.heldBy(owner) > SHARE_BYTES) this.#budget.refuse();
    const outside = this.#outside.get(owner);
    if (outside === undefined && this.#budget.waitingOf(owner) < MAX_WAITING) return;
    await new Promise<void>((enter) => {
      if (outside === undefined) this.#outside.set(owner, [enter]);
      else outside.push(enter);
    });
  }

  /** How many large replies of an owner wait to be made. */
  waitingOf(owner: string): number {
    return this.#budget.waitingOf(owner);
  }

  /** Lets the next request of the owner enter. */
  leave(owner: string): void {
    const outside = this.#outside.get(owner);
    outside?.shift()?.();
    if (outside?.length === 0) this.#outside.delete(owner);
  }

  /** Makes a reply of this size. Owners with large replies take turns. */
  run<T>(bytes: number, owner: string, make: () => Promise<T>): Promise<T> {
    return this.#budget.run(bytes, owner, make);
  }
}
