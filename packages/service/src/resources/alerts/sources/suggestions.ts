import type { Deployment, MemberSample } from '@portolan/engine/interface/engine';
import type { Services } from '../../services.ts';
import { missedIndex, type Scan, scanIn } from './slow-scans.ts';

const DAY_MS = 86_400_000;
/** Documents that are read without an index before logs are worth a look. */
const WORTH_A_LOOK = 1000;
/** Machine milliseconds between two looks at the logs of a cluster, which have some 15 MB. */
const PAUSE_MS = 60_000;

interface Known {
  /** Service time up to which its logs are read. */
  readonly through: number;
  /** Machine time of the last look, and what its primaries had examined then. */
  readonly looked: number;
  readonly examined: number;
  /** By collection and fields, the newest of each. */
  readonly scans: ReadonlyMap<string, Scan>;
}

type Sampled = ReadonlyMap<string, readonly MemberSample[]>;

/** The collections of clusters that slow queries of the last day had to read whole, and that have no index for them. */
export class Suggestions {
  readonly #services: Pick<Services, 'engines' | 'clock' | 'machine'>;
  readonly #known = new Map<string, Known>();

  constructor(services: Pick<Services, 'engines' | 'clock' | 'machine'>) {
    this.#services = services;
  }

  /** As `database.collection`. */
  async of(
    cluster: { readonly id: string; readonly host: string },
    deployment: Deployment,
    sampled: Sampled,
  ) {
    const now = this.#services.clock.now().getTime();
    const known = await this.#lookAgain(cluster, deployment, sampled, now);
    const fresh = [...known.scans.values()].filter(({ time }) => time > now - DAY_MS);
    const missed: string[] = [];
    for (const scan of fresh) {
      if (!missed.includes(scan.namespace) && (await this.#lacksIndex(cluster, scan)))
        missed.push(scan.namespace);
    }
    return missed;
  }

  async #lookAgain(
    { id, host }: { readonly id: string; readonly host: string },
    { primaries }: Deployment,
    sampled: Sampled,
    now: number,
  ): Promise<Known> {
    const { engines, machine } = this.#services;
    const newest = primaries.flatMap((primary) => sampled.get(primary)?.at(-1) ?? []);
    const examined = newest.reduce((sum, sample) => sum + sample.examined.documents, 0);
    const before = this.#known.get(id) ?? {
      ...{ through: now - DAY_MS, looked: Number.NEGATIVE_INFINITY, examined: 0 },
      scans: new Map(),
    };
    const isWorthIt = examined < before.examined || examined >= before.examined + WORTH_A_LOOK;
    if (!isWorthIt || machine.monotonic() - before.looked < PAUSE_MS) return before;
    const scans = new Map([...before.scans].filter(([, { time }]) => time > now - DAY_MS));
    for (const primary of primaries) {
      const text = await whole(engines.at(host).logs(id, primary, 'db', before.through, now));
      for (const scan of text.split('\n').flatMap((line) => scanIn(line) ?? []))
        scans.set(`${scan.namespace} ${scan.fields.join()}`, scan);
    }
    const known: Known = { through: now, looked: machine.monotonic(), examined, scans };
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

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}
