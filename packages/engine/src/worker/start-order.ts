import type { Operation } from './operations.ts';
import { NESTED_ATTEMPTS } from './statements.ts';

/** Decides which waiting operations start first, so that a cluster with many requests does not delay the others. */
export class StartOrder {
  /** The number of the last start of an operation, by cluster. Starts are numbered consecutively. */
  readonly #served = new Map<string, number>();
  /** The same numbers for operations that can only run outside all others. */
  readonly #servedAlone = new Map<string, number>();
  #starts = 0;

  started({ wire, attempts }: Pick<Operation, 'wire' | 'attempts'>): void {
    this.#served.set(wire.clusterId, ++this.#starts);
    if (attempts >= NESTED_ATTEMPTS) this.#servedAlone.set(wire.clusterId, this.#starts);
  }

  closed(clusterId: string): void {
    this.#served.delete(clusterId);
    this.#servedAlone.delete(clusterId);
  }

  /**
   * The order in which operations run within other operations: in rounds, with one operation of each cluster per
   * round. The operations of a cluster start in the order of their budgets (see `Statements`), and then of their
   * arrival. In a round, operations that have never been postponed come first, and then those of the cluster that has
   * waited longest.
   */
  nested(waiting: ReadonlySet<Operation>): Operation[] {
    const operations = [...waiting];
    if (operations.length < 2) return operations;
    operations.sort((a, b) => a.attempts - b.attempts);
    const places = new Map<Operation, Place>();
    const sizes = new Map<string, number>();
    for (const operation of operations) {
      const { clusterId } = operation.wire;
      const round = sizes.get(clusterId) ?? 0;
      sizes.set(clusterId, round + 1);
      places.set(operation, [round, Math.min(operation.attempts, 1), this.#served.get(clusterId) ?? 0]);
    }
    return operations.sort((a, b) => compare(places.get(a), places.get(b)));
  }

  /**
   * The order in which operations run outside all others, where they have no budget. The operation with the
   * largest budget runs first, because the others can run within it. If several operations have the largest budget, the
   * clusters take turns. Short operations of a cluster, which run within others, do not count as a turn.
   */
  outermost(waiting: ReadonlySet<Operation>): Operation[] {
    const operations = this.nested(waiting);
    const turnOf = ({ wire }: Operation) => this.#servedAlone.get(wire.clusterId) ?? 0;
    const [first] = operations.toSorted(
      (a, b) => b.attempts - a.attempts || turnOf(a) - turnOf(b) || a.arrived - b.arrived,
    );
    return first === undefined ? [] : [first, ...operations.filter((operation) => operation !== first)];
  }
}

type Place = readonly [round: number, postponed: number, served: number];

function compare([round, postponed, served]: Place = none, other: Place = none): number {
  return round - other[0] || postponed - other[1] || served - other[2];
}

const none: Place = [0, 0, 0];
