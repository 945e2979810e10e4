import type { MachineClock } from '@portolan/foundation/clock';
import { nextTurn } from '@portolan/foundation/next-turn';
import { databaseSizes, totalSizes } from '../commands/diagnostics/database-sizes.ts';
import type { MemberWork, Observation } from '../observe/observation.ts';
import type { MemberCounters } from '../observe/operation-counters.ts';
import type { Outbox } from '../observe/outbox.ts';
import type { OpenCluster } from './open-cluster.ts';

interface Waiting {
  readonly member: string;
  readonly writes: boolean;
}

type Processor = () => { readonly user: number; readonly system: number };

/** Reports the work of the members of a thread's clusters to the host. */
export class Sampling {
  readonly #processor: Processor;
  readonly #busy = new WeakMap<MemberCounters, number>();
  #taken: ReturnType<Processor>;

  /** `processor` returns the total CPU time of the thread, in microseconds. */
  constructor(processor: Processor) {
    this.#processor = processor;
    this.#taken = processor();
  }

  /**
   * Divides the CPU time of the thread since the last call among the members, in proportion to how long their
   * statements ran. Measuring before and after each statement would take as long as a short statement.
   */
  share(clusters: Iterable<OpenCluster>): void {
    const taken = this.#processor();
    const user = taken.user - this.#taken.user;
    const kernel = taken.system - this.#taken.system;
    this.#taken = taken;
    const ran: Array<[MemberCounters, number]> = [];
    let all = 0;
    for (const { counters } of clusters) {
      for (const member of counters.members()) {
        const grown = member.busy - (this.#busy.get(member) ?? 0);
        this.#busy.set(member, member.busy);
        if (grown <= 0) continue;
        ran.push([member, grown]);
        all += grown;
      }
    }
    for (const [{ processor }, grown] of ran) {
      processor.user += Math.round((user * grown) / all);
      processor.kernel += Math.round((kernel * grown) / all);
    }
  }
}

/** Returns the work of a cluster's members. `waiting` contains the requests that have not started. */
export function workOf(cluster: OpenCluster, waiting: readonly Waiting[]): Observation {
  const { counters, cursors, search, store } = cluster;
  const indexes = store.searchIndexes.all();
  const sizesById = indexes.length === 0 ? {} : search.sizes();
  const databases = databaseSizes(store);
  const work: Record<string, MemberWork> = {};
  for (const [id, own] of Object.entries(counters.all())) {
    const queued = waiting.filter(({ member }) => member === id);
    const writers = queued.filter(({ writes }) => writes).length;
    work[id] = { ...own, queued: { readers: queued.length - writers, writers } };
  }
  const whole = {
    oplog: cluster.oplogSize,
    cursors: { open: cursors.size, timedOut: cursors.timedOut },
    expired: counters.expiry.deletedDocuments,
    sizes: totalSizes(databases),
    searchIndexes: Object.fromEntries(
      indexes.map(({ id, version }) => [
        id,
        { version, ...(sizesById[id] ?? { bytes: 0, documents: 0, fields: 0 }) },
      ]),
    ),
  };
  return { kind: 'work', work, whole, databases };
}

/** The time after which the sampling of the clusters of a thread pauses. */
const SAMPLING_MS = 5;

/** Adds the samples of all clusters of a thread to the outbox, with pauses in which the thread serves requests. */
export async function addSamples(
  samples: Iterable<readonly [clusterId: string, observation: Observation]>,
  outbox: Pick<Outbox, 'add'>,
  { monotonic }: Pick<MachineClock, 'monotonic'>,
  turn = nextTurn,
): Promise<void> {
  let end = monotonic() + SAMPLING_MS;
  for (const [clusterId, observation] of samples) {
    outbox.add(clusterId, observation);
    if (monotonic() < end) continue;
    await turn();
    end = monotonic() + SAMPLING_MS;
  }
}
