import type { MachineClock } from '@portolan/foundation/clock';
import type { DurableState } from './durable-state.ts';
import { elect, withheld } from './election.ts';
import type { DeploymentRecord } from './record.ts';

/** Runs the elections that operators and drivers request. */
export class Elections {
  readonly #state: DurableState;
  readonly #clock: MachineClock;
  readonly #publish: () => Promise<void>;
  /** Monotonic machine time until which each member is excluded from elections. */
  readonly #withheld = new Map<string, number>();

  /** `publish` sends a record to the threads after the record has been saved. */
  constructor(state: DurableState, clock: MachineClock, publish: () => Promise<void>) {
    this.#state = state;
    this.#clock = clock;
    this.#publish = publish;
  }

  /** Makes the primary step down if its id is `from`. Without `from`, makes the primary of every shard step down. */
  async failover(from?: string): Promise<void> {
    const { record } = this.#state;
    const { primaries } = record;
    if (from !== undefined && !primaries.includes(from)) return;
    const next = elect(record, from === undefined ? primaries : [from]);
    if (next.primaries.length < primaries.length) throw new Error('no other member can become primary');
    await this.#state.save(next);
    await this.#publish();
  }

  /** Excludes a member from elections for `seconds`. If the member is the primary, it steps down. */
  async withhold(memberId: string, seconds: number): Promise<void> {
    if (this.#state.record.ports[memberId] === undefined) return;
    this.#withheld.set(memberId, this.#clock.monotonic() + seconds * 1000);
    await this.#electAnew(withheld(this.#state.record, memberId, seconds > 0));
  }

  /** Ends the exclusion of a member, unless a later call has extended the exclusion. */
  async readmit(memberId: string): Promise<void> {
    if ((this.#withheld.get(memberId) ?? 0) > this.#clock.monotonic()) return;
    await this.#electAnew(withheld(this.#state.record, memberId, false));
  }

  async #electAnew(next: DeploymentRecord): Promise<void> {
    const { term, primaries } = this.#state.record;
    const changed = next.term !== term || next.primaries.length !== primaries.length;
    await this.#state.save(next);
    if (changed) await this.#publish();
  }
}
