import type { Deployment, MemberSample } from '@portolan/engine/interface/engine';
import { linesOf } from '../../performance-advisor/index.ts';
import type { Services } from '../../services.ts';
import { missedIndex, remember, type Scan, scanIn } from './slow-scans.ts';

const DAY_MS = 86_400_000;
/**
 * The logs are read again if the primaries have examined at least this many documents since the last read, or if their
 * count has fallen, for example after an election.
 */
const MIN_UNINDEXED_READS = 1000;
/** Minimum machine time in milliseconds between two reads of a cluster's logs. The logs have some 15 MB. */
const PAUSE_MS = 60_000;

interface KnownScans {
  /** Service time up to which the logs were read. */
  readonly through: number;
  /** Machine time of the last read, and how many documents the primaries had examined by then. */
  readonly lastRead: number;
  readonly examined: number;
  /** The newest scan by collection and fields. */
  readonly scans: ReadonlyMap<string, Scan>;
}

type Sampled = ReadonlyMap<string, readonly MemberSample[]>;

/** Finds collections that slow queries of the last day scanned because an index was missing. */
export class Suggestions {
  readonly #services: Pick<Services, 'engines' | 'clock' | 'machine'>;
  readonly #known = new Map<string, KnownScans>();

  constructor(services: Pick<Services, 'engines' | 'clock' | 'machine'>) {
    this.#services = services;
  }

  /** Returns the namespaces of the collections that lack an index. */
  async of(
    cluster: { readonly id: string; readonly host: string },
    deployment: Deployment,
    sampled: Sampled,
  ) {
    const now = this.#services.clock.now().getTime();
    const known = await this.#lookAgain(cluster, deployment, sampled, now);
    const fresh = [...known.scans.values()].filter(({ time }) => time > now - DAY_MS);
    const missed = new Set<string>();
    for (const scan of fresh) {
      if (!missed.has(scan.namespace) && (await this.#lacksIndex(cluster, scan))) missed.add(scan.namespace);
    }
    return [...missed];
  }

  async #lookAgain(
    { id, host }: { readonly id: string; readonly host: string },
    { primaries }: Deployment,
    sampled: Sampled,
    now: number,
  ): Promise<KnownScans> {
    const { engines, machine } = this.#services;
    const newest = primaries.flatMap((primary) => sampled.get(primary)?.at(-1) ?? []);
    const examined = newest.reduce((sum, sample) => sum + sample.examined.documents, 0);
    const before = this.#known.get(id) ?? {
      ...{ through: now - DAY_MS, lastRead: Number.NEGATIVE_INFINITY, examined: 0 },
      scans: new Map(),
    };
    const isWorthIt = examined < before.examined || examined >= before.examined + MIN_UNINDEXED_READS;
    if (!isWorthIt || machine.monotonic() - before.lastRead < PAUSE_MS) return before;
    const scans = new Map<string, Scan>([...before.scans].filter(([, { time }]) => time > now - DAY_MS));
    for (const primary of primaries) {
      for await (const line of linesOf(engines.at(host).logs(id, primary, 'db', before.through, now))) {
        const scan = scanIn(line);
        if (scan !== undefined) remember(scans, scan);
      }
    }
    const known: KnownScans = { through: now, lastRead: machine.monotonic(), examined, scans };
    this.#known.set(id, known);
    return known;
  }

  async #lacksIndex(
    { id, host }: { readonly id: string; readonly host: string },
    scan: Scan,
  ): Promise<boolean> {
    const dot = scan.namespace.indexOf('.');
    const [$db, listIndexes] = [scan.namespace.slice(0, dot), scan.namespace.slice(dot + 1)];
    return missedIndex(scan, await this.#services.engines.at(host).run(id, { listIndexes, $db }));
  }
}
