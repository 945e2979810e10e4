import type { TaskRow } from './rows.ts';

type Owned = Pick<TaskRow, 'owner'>;

/**
 * Kinds of tasks that share a concurrency limit (`places`). No owner can take all places: its tasks may take
 * at most `factor` times as many as are still free. Tasks of other owners can therefore start, however many
 * tasks one owner has. Without this rule, unresponsive receivers of one project could delay the notifications
 * of all projects.
 */
export class Lane {
  readonly kinds: readonly string[];
  readonly #places: number;
  readonly #factor: number;
  /** The number of running tasks by owner. */
  readonly #running = new Map<string, number>();
  #all = 0;

  constructor(
    kinds: readonly string[],
    { places, factor }: { readonly places: number; readonly factor: number },
  ) {
    this.kinds = kinds;
    this.#places = places;
    this.#factor = factor;
  }

  get free(): number {
    return this.#places - this.#all;
  }

  begin({ owner }: Owned): void {
    this.#all++;
    if (owner !== null) this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  end({ owner }: Owned): void {
    this.#all--;
    if (owner === null) return;
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left > 0) this.#running.set(owner, left);
    else this.#running.delete(owner);
  }

  /** Returns the owners that must not start further tasks now. */
  fullOwners(): string[] {
    return [...this.#running]
      .filter(([, running]) => !this.#allows(running, this.free))
      .map(([owner]) => owner);
  }

  /** Returns those of the given tasks that may start together. */
  admitted<Row extends Owned>(rows: readonly Row[]): Row[] {
    const running = new Map(this.#running);
    let free = this.free;
    return rows.filter(({ owner }) => {
      const own = owner === null ? 0 : (running.get(owner) ?? 0);
      if (free <= 0 || (owner !== null && !this.#allows(own, free))) return false;
      if (owner !== null) running.set(owner, own + 1);
      free--;
      return true;
    });
  }

  #allows(running: number, free: number): boolean {
    return running < this.#factor * free;
  }
}
