import { BodyBudget, HELD_BYTES } from './body-budget.ts';

/**
 * Maximum part of the budget that one project may hold. Without this limit, a client that does not read its replies
 * could block the replies of all other projects until its connections time out.
 */
const SHARE_BYTES = HELD_BYTES / 2;

/** A part of the budget. A reply holds it until the reply is sent. */
export interface HeldReply {
  /**
   * Changes the size, if the reply is larger or smaller than expected. Never fails, because the reply already exists.
   */
  resize(bytes: number): void;
  release(): void;
}

/** Limits the total memory of large replies, from their creation until they are sent. */
export class ReplyBudget {
  readonly #budget = new BodyBudget();
  readonly #ofOwners = new Map<string, number>();

  /** Reserves space for a reply of a project. Throws 503 if too little space is left. */
  reserve(bytes: number, owner: string): HeldReply {
    const own = this.#ofOwners.get(owner) ?? 0;
    // One reply may be larger than the share.
    if (own > 0 && own + bytes > SHARE_BYTES) this.#budget.refuse();
    this.#budget.reserve(bytes);
    let held = 0;
    const resize = (size: number) => {
      this.#count(owner, size - held);
      held = size;
    };
    resize(bytes);
    return {
      resize: (size) => {
        this.#budget.release(held - size);
        resize(size);
      },
      release: () => {
        this.#budget.release(held);
        resize(0);
      },
    };
  }

  #count(owner: string, change: number): void {
    const own = (this.#ofOwners.get(owner) ?? 0) + change;
    if (own === 0) this.#ofOwners.delete(owner);
    else this.#ofOwners.set(owner, own);
  }

  /** Makes a reply of this size. Large replies wait in their order of arrival. */
  run<T>(bytes: number, make: () => Promise<T>): Promise<T> {
    return this.#budget.run(bytes, make);
  }
}
