import { setTimeout } from 'node:timers/promises';
import {
  type ClientSession,
  type Collection,
  type Document,
  MongoBulkWriteError,
  type MongoClient,
  MongoError,
} from 'mongodb';

/** Makes writes of one kind and counts the acknowledged writes. At the end, the test checks that they are stored. */
export interface Writer {
  readonly acknowledged: number;
  /** Writes once. Records the write if its outcome is unknown. */
  step(): Promise<void>;
  /** Returns descriptions of acknowledged writes that are missing or duplicated. */
  missing(client: MongoClient): Promise<string[]>;
}

/** True if the outcome is unknown because the driver gave up. Any other error is a fault. */
function isOpen(error: unknown): boolean {
  // A bulk write wraps its error.
  if (error instanceof MongoBulkWriteError) return isOpen(Object(error).errorResponse);
  if (!(error instanceof MongoError)) return false;
  return /Network|ServerSelection|PoolCleared|PoolClosed/.test(error.name) || isTransient(error);
}

function isTransient(error: MongoError): boolean {
  return ['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError'].some(
    (label) => error.hasErrorLabel(label),
  );
}

/** Runs a write. Returns true if it was acknowledged, and false if its outcome is unknown. */
async function acknowledged(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!isOpen(error)) throw error;
    return false;
  }
}

interface Numbered extends Document {
  readonly _id: string;
}

/** Inserts documents one by one and in batches. */
export class Inserter implements Writer {
  readonly #name: string;
  readonly #documents: Collection<Numbered>;
  readonly #acknowledged: string[] = [];
  #next = 0;

  constructor(name: string, client: MongoClient) {
    this.#name = name;
    this.#documents = client.db('harbour').collection<Numbered>('crates');
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  async step(): Promise<void> {
    const size = this.#next % 3 === 0 ? 20 : 1;
    const documents = Array.from({ length: size }, () => ({ _id: `${this.#name}-${this.#next++}` }));
    const ids = documents.map(({ _id }) => _id);
    if (await acknowledged(() => this.#documents.insertMany(documents))) this.#acknowledged.push(...ids);
  }

  async missing(client: MongoClient): Promise<string[]> {
    const pattern = new RegExp(`^${this.#name}-`);
    const crates = client.db('harbour').collection<Numbered>('crates').find({ _id: pattern });
    const there = new Set((await crates.toArray()).map(({ _id }) => _id));
    return this.#acknowledged.filter((id) => !there.has(id)).map((id) => `the insert of ${id} is lost`);
  }
}

/** Increments a counter by retryable updates. Each update must count once. */
export class Counter implements Writer {
  readonly #id: string;
  readonly #counters: Collection<Numbered>;
  acknowledged = 0;
  #open = 0;

  constructor(id: string, client: MongoClient) {
    this.#id = id;
    this.#counters = client.db('harbour').collection<Numbered>('counters');
  }

  async step(): Promise<void> {
    const write = () => this.#counters.updateOne({ _id: this.#id }, { $inc: { n: 1 } }, { upsert: true });
    if (await acknowledged(write)) this.acknowledged++;
    else this.#open++;
  }

  async missing(client: MongoClient): Promise<string[]> {
    const counter = await client.db('harbour').collection<Numbered>('counters').findOne({ _id: this.#id });
    const n = counter?.n ?? 0;
    if (n >= this.acknowledged && n <= this.acknowledged + this.#open) return [];
    return [`the counter ${this.#id} is ${n} after ${this.acknowledged} updates and ${this.#open} open ones`];
  }
}

/** Moves a coin between purses and records the move in the same transaction. */
export class Mover implements Writer {
  readonly #name: string;
  readonly #client: MongoClient;
  readonly #acknowledged: string[] = [];
  #next = 0;

  constructor(name: string, client: MongoClient) {
    this.#name = name;
    this.#client = client;
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  async step(): Promise<void> {
    const _id = `${this.#name}-${this.#next++}`;
    const done = await acknowledged(() =>
      this.#client.withSession((session) => session.withTransaction(() => this.#move(_id, session))),
    );
    if (done) this.#acknowledged.push(_id);
  }

  async #move(_id: string, session: ClientSession): Promise<void> {
    const db = this.#client.db('harbour');
    const purses = db.collection<Numbered>('purses');
    const [from, to] = [`${this.#name}-a`, `${this.#name}-b`];
    await purses.updateOne({ _id: from }, { $inc: { coins: -1 } }, { session, upsert: true });
    await purses.updateOne({ _id: to }, { $inc: { coins: 1 } }, { session, upsert: true });
    await db.collection<Numbered>('ledger').insertOne({ _id }, { session });
  }

  async missing(client: MongoClient): Promise<string[]> {
    const db = client.db('harbour');
    const ledger = db.collection<Numbered>('ledger').find({ _id: new RegExp(`^${this.#name}-`) });
    const there = new Set((await ledger.toArray()).map(({ _id }) => _id));
    const lost = this.#acknowledged
      .filter((id) => !there.has(id))
      .map((id) => `the transaction ${id} is lost`);
    const purses = db.collection<Numbered>('purses');
    const [a, b] = await Promise.all(
      ['a', 'b'].map((side) => purses.findOne({ _id: `${this.#name}-${side}` })),
    );
    const [coinsA = 0, coinsB = 0] = [a?.coins, b?.coins];
    if (coinsA + coinsB === 0 && coinsB === there.size) return lost;
    return [...lost, `${there.size} moves have left ${coinsA} and ${coinsB} in the purses of ${this.#name}`];
  }
}

/** Watches inserts with a change stream. Resumes the stream after every kill. */
export class Watcher {
  readonly #seen: string[] = [];
  readonly #client: MongoClient;
  #running = true;
  #token: Document | undefined;
  #done: Promise<void> | undefined;

  constructor(client: MongoClient) {
    this.#client = client;
  }

  /** Resolves when the change stream is open. */
  async start(): Promise<void> {
    this.#done = this.#follow();
    while (this.#token === undefined) await Promise.race([this.#done, setTimeout(1)]);
  }

  async #follow(): Promise<void> {
    const crates = this.#client.db('harbour').collection<Numbered>('crates');
    while (this.#running) {
      const stream = crates.watch([{ $match: { operationType: 'insert' } }], {
        maxAwaitTimeMS: 100,
        ...(this.#token === undefined ? {} : { resumeAfter: this.#token }),
      });
      await acknowledged(async () => {
        while (this.#running) {
          const event = await stream.tryNext();
          if (stream.resumeToken) this.#token = Object(stream.resumeToken);
          if (event !== null && 'documentKey' in event) this.#seen.push(String(event.documentKey._id));
        }
      });
      await stream.close().catch(() => {});
    }
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#done;
  }

  /** Checks that every document of the collection was seen exactly once. */
  async missing(client: MongoClient): Promise<string[]> {
    const all = await client.db('harbour').collection<Numbered>('crates').find().toArray();
    const until = performance.now() + 180_000;
    while (this.#seen.length < all.length && performance.now() < until) await setTimeout(1);
    await this.stop();
    const seen = new Set(this.#seen);
    const unseen = all.filter(({ _id }) => !seen.has(_id)).map(({ _id }) => `no stream has returned ${_id}`);
    return seen.size === this.#seen.length ? unseen : [...unseen, 'a stream has returned a change twice'];
  }
}
