import assert from 'node:assert/strict';
import type { Collection, Document, MongoClient } from 'mongodb';
import { endCrashPlan, hasCrashed, planCrash, type Thread } from './crashes.ts';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './drivers.ts';
import { expectStatus, until } from './expect.ts';
import { type Dice, dice } from './random.ts';
import type { Setup } from './setups.ts';
import { newCluster, newProject } from './stage.ts';

/** Kills the engine host, or one of its threads, before a commit of a search index, and checks the result. */

export const searchWorks = ['build', 'update', 'redefine'] as const;
export type SearchWork = (typeof searchWorks)[number];

const BATCH = 3_000;
/** The minimum number of changes during the work, and the number of changes after the crash. */
const CHANGES = 40;
const WORDS = ['anchor', 'bow', 'crew', 'deck', 'ebb', 'fleet', 'gale', 'harbour', 'isle', 'jetty'];
const COMPARED = 4;
const INDEX_EXISTS = 68;
const DYNAMIC = { mappings: { dynamic: true } };

interface Ship {
  readonly _id: number;
  text: string;
  n: number;
}

interface Round {
  /** The steps until the crash. The last one was interrupted. */
  readonly steps: readonly string[];
  readonly crashed: boolean;
}

/** The process or thread that crashes, and before which step. */
interface CrashStep {
  readonly at: number;
  /** The thread of the engine host that ends; undefined if the whole host ends. */
  readonly thread?: Thread | undefined;
}

interface Options {
  /** The folder of crash plans with which the service was started. */
  readonly folder: string;
  readonly documents: number;
  readonly seed: number;
  /**
   * Whether each round continues until the crash. Otherwise, a round also ends when the index is ready after the
   * minimum number of changes. On a busy machine, the thread that updates indexes may have made fewer commits by then.
   */
  readonly isCrashCertain?: boolean;
}

export class KilledSearch {
  readonly #driver: MongoClient;
  readonly #ships: Collection<Ship>;
  readonly #folder: string;
  readonly #documents: number;
  readonly #isCrashCertain: boolean;
  readonly #chance: Dice;
  readonly #nodes: (count: number) => Promise<void>;
  #marks = 0;

  private constructor(
    driver: MongoClient,
    { folder, documents, seed, isCrashCertain = false }: Options,
    nodes: (count: number) => Promise<void>,
  ) {
    this.#nodes = nodes;
    this.#driver = driver;
    this.#documents = documents;
    this.#isCrashCertain = isCrashCertain;
    this.#ships = driver.db('port').collection<Ship>('ships');
    this.#folder = folder;
    this.#chance = dice(seed);
  }

  /** Creates the cluster and the index. The caller must close the result. */
  static async begin(setup: Setup, options: Options): Promise<KilledSearch> {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'library');
    await allowAccess(setup, project, cluster);
    const nodes = async (nodeCount: number) => {
      const at = `${cluster}/search/deployment`;
      const specs = [{ instanceSize: 'S20_HIGHCPU_NVME', nodeCount }];
      expectStatus(await setup.owner.post(at, { specs }), 201);
      const stateOf = async () => (await setup.owner.get(at)).json().stateName;
      await until('search nodes', stateOf, (state) => state === 'IDLE');
    };
    const all = new KilledSearch(await driverFor(setup, cluster, LONG_TIMEOUTS), options, nodes);
    for (let from = 0; from < options.documents; from += BATCH) {
      await all.#ships.insertMany(Array.from({ length: BATCH }, (_, at) => all.#ship(from + at)));
    }
    return all;
  }

  /** Gives the cluster search nodes. */
  addNodes(count: number): Promise<void> {
    return this.#nodes(count);
  }

  close(): Promise<void> {
    return this.#driver.close();
  }

  /**
   * Runs one kind of work with a planned crash, while documents are changed and searched. Returns the steps until the
   * crash.
   */
  async round(work: SearchWork, { at, thread }: CrashStep): Promise<Round> {
    let definition: Document = DYNAMIC;
    if (work !== 'build') {
      await this.#ships.createSearchIndex({ name: 'cut', definition });
      await this.#ready('cut');
    }
    planCrash(this.#folder, { role: 'host', at, ...(thread && { thread }) });
    if (work === 'build') await this.#retry(() => this.#ships.createSearchIndex({ name: 'cut', definition }));
    if (work === 'redefine') {
      definition = { analyzer: 'lucene.english', ...DYNAMIC };
      await this.#retry(() => this.#ships.updateSearchIndex('cut', definition));
    }
    let changes = 0;
    await until(
      `a death, or the end of ${work}`,
      async () => {
        await this.#change();
        if (thread === 'search-node-thread') await this.#scores('cut', 'crew').catch(() => undefined);
        if (hasCrashed(this.#folder)) return true;
        if (this.#isCrashCertain) return false;
        return ++changes >= CHANGES && (await this.#isCurrent('cut').catch(() => false));
      },
      Boolean,
    );
    const died = hasCrashed(this.#folder);
    const steps = endCrashPlan(this.#folder);
    for (let more = 0; more < CHANGES; more++) await this.#change();
    await this.#compare(
      definition,
      `${work} without ${thread ?? 'its host'} before ${steps.at(-1)} (${steps.length})`,
    );
    for (const name of ['cut', 'fresh']) await this.#ships.dropSearchIndex(name);
    await until(
      'no index',
      () => this.#ships.listSearchIndexes().toArray(),
      ({ length }) => length === 0,
    );
    return { steps, crashed: died };
  }

  /**
   * Runs an operation again after an error, since drivers retry only once. If the response of an attempt was lost, the
   * index may already exist.
   */
  async #retry(ask: () => Promise<unknown>): Promise<void> {
    const done = () =>
      ask().then(
        () => true,
        (error) => Object(error).code === INDEX_EXISTS,
      );
    await until('an answer', done, Boolean);
  }

  #ship(_id: number): Ship {
    const length = 1 + this.#chance.below(12);
    const text = Array.from({ length }, () => WORDS[this.#chance.below(WORDS.length)]).join(' ');
    return { _id, text, n: this.#chance.below(100) };
  }

  /** Changes, replaces, deletes or inserts a document. Ignores errors while no service is running. */
  async #change(): Promise<void> {
    const { _id, ...rest } = this.#ship(this.#chance.below(this.#documents));
    const changes = [
      () => this.#ships.deleteOne({ _id }),
      () => this.#ships.updateOne({ _id }, { $set: { n: rest.n } }),
      () => this.#ships.replaceOne({ _id }, rest, { upsert: true }),
    ];
    await changes[this.#chance.below(changes.length)]?.().catch(() => undefined);
  }

  async #isCurrent(name: string): Promise<boolean> {
    const [index] = (await this.#ships.listSearchIndexes(name).toArray()) as Document[];
    assert.notEqual(index?.status, 'FAILED');
    return index?.status === 'READY';
  }

  #ready(name: string): Promise<boolean> {
    return until(`${name} to be ready`, () => this.#isCurrent(name).catch(() => false), Boolean);
  }

  /** Compares the index with a new index that is built without a crash. */
  async #compare(definition: Document, told: string): Promise<void> {
    await this.#ready('cut');
    await this.#retry(() => this.#ships.createSearchIndex({ name: 'fresh', definition }));
    await this.#ready('fresh');
    // Wait until both indexes contain the last write.
    const mark = `mark${++this.#marks}`;
    await this.#retry(() => this.#ships.replaceOne({ _id: -1 }, { text: mark, n: -1 }, { upsert: true }));
    const marked = async () =>
      Promise.all(['cut', 'fresh'].map(async (index) => (await this.#scores(index, mark)).length));
    await until(`${mark} in both`, marked, (both) => both.every((found) => found === 1));
    const [cut, fresh] = [await this.#contents('cut'), await this.#contents('fresh')];
    assert.ok(
      fresh.every((part) => Array.isArray(part) && part.length > 0),
      told,
    );
    assert.deepEqual(cut, fresh, told);
  }

  /** Returns the scores of some words in every document, the matches of a phrase, and the facets of another field. */
  async #contents(index: string): Promise<unknown[]> {
    const words = await Promise.all(WORDS.slice(0, COMPARED).map((word) => this.#scores(index, word)));
    const facets = { n: { type: 'number', path: 'n', boundaries: [-1, 0, 10, 50, 100] } };
    const meta = { $searchMeta: { index, facet: { facets }, count: { type: 'total' } } };
    const phrase = { index, phrase: { query: 'crew deck', path: 'text' } };
    return [...words, await this.#found(phrase), await this.#ships.aggregate([meta]).toArray()];
  }

  #scores(index: string, query: string): Promise<Document[]> {
    return this.#found({ index, text: { query, path: 'text' } });
  }

  #found(search: Document): Promise<Document[]> {
    const shown = { $project: { score: { $meta: 'searchScore' } } };
    return this.#ships.aggregate([{ $search: search }, shown, { $sort: { _id: 1 } }]).toArray();
  }
}
