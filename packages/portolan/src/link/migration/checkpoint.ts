import { CHECKPOINTS } from '@portolan/service/live-migrations';
import type { ClientSession, Collection, Document, MongoClient, Timestamp } from 'mongodb';
import { rawDb } from './endpoints.ts';

/** How far a migration is. Stands in the destination, and changes in one transaction with what it tells. */
export interface ReplicationState {
  readonly phase: 'copying' | 'following' | 'done';
  /** Changes are followed from here on. */
  readonly start: Timestamp;
  /** From this time of the source on the destination is what the source was: collections were copied until then. */
  readonly consistentAt?: Timestamp;
  /** All indexes are there, those that forbid doubles too. */
  readonly indexed: boolean;
  /** The last change that was applied. */
  readonly token?: Document;
  readonly position?: Timestamp;
}

/** How far the copy of one collection is. */
export interface CollectionCopy {
  /** `database.collection` */
  readonly _id: string;
  readonly options: Document;
  readonly isView: boolean;
  /** The copy has all changes until then. */
  readonly since?: Timestamp;
  readonly copied: boolean;
  /** The id of the last document that was copied. */
  readonly last?: { readonly id: unknown };
  /** The last document of a capped collection that was copied; inserts up to that of this one are there already. */
  readonly skipTo?: { readonly id: unknown };
}

/** Another migration host, or a later start of this one, does the work. */
export class Superseded extends Error {
  constructor() {
    super('another migration host does this work');
    this.name = 'Superseded';
  }
}

interface Owned {
  readonly owner: string;
}

type StateDocument = ReplicationState & Owned & { readonly _id: string; readonly attempt: number };

/**
 * What a migration has written down in its destination. Every change is refused once somebody else has taken over.
 */
export class Checkpoint {
  readonly #target: MongoClient;
  readonly #id: string;
  readonly #owner: string;

  constructor(target: MongoClient, id: string, owner: string) {
    this.#target = target;
    this.#id = id;
    this.#owner = owner;
  }

  /**
   * Takes over what there is of this attempt; undefined where there is none. A host that was killed may have left a
   * transaction
   * open, which would keep its documents for a minute: all sessions of the migration's user end first.
   */
  async claim(attempt: number): Promise<ReplicationState | undefined> {
    await this.#target.db('admin').command({ killSessions: [] });
    const { value } = {
      value: await this.#states.findOneAndUpdate(
        { _id: this.#id, attempt },
        { $set: { owner: this.#owner } },
      ),
    };
    if (value === null) return undefined;
    await this.#copies.updateMany({}, { $set: { owner: this.#owner } });
    return value;
  }

  /** Names of what former attempts have put into the destination. */
  async leftovers(): Promise<string[]> {
    return (await this.#copies.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  }

  async begin(attempt: number, reached: ReplicationState, copies: readonly CollectionCopy[]): Promise<void> {
    const owned = { owner: this.#owner };
    await this.#copies.deleteMany({});
    if (copies.length > 0) await this.#copies.insertMany(copies.map((copy) => ({ ...copy, ...owned })));
    // Last: who finds it finds the collections.
    await this.#states.replaceOne({ _id: this.#id }, { ...reached, attempt, ...owned }, { upsert: true });
  }

  async copies(): Promise<CollectionCopy[]> {
    return (await this.#copies.find({}).sort({ _id: 1 }).toArray()) as unknown as CollectionCopy[];
  }

  async reach(change: Partial<ReplicationState>, session?: ClientSession): Promise<void> {
    const filter = { _id: this.#id, owner: this.#owner };
    const { matchedCount } = await this.#states.updateOne(
      filter,
      { $set: change },
      session ? { session } : {},
    );
    if (matchedCount === 0) throw new Superseded();
  }

  async copied(_id: string, update: Document, session?: ClientSession): Promise<void> {
    const filter = { _id, owner: this.#owner };
    const { matchedCount } = await this.#copies.updateOne(filter, update, session ? { session } : {});
    if (matchedCount === 0) throw new Superseded();
  }

  /** For what cannot be written together with what is written down. */
  async assertOwned(): Promise<void> {
    if ((await this.#states.findOne({ _id: this.#id }))?.owner !== this.#owner) throw new Superseded();
  }

  /** A collection that was not there, or is to be copied anew. */
  async put(copy: CollectionCopy): Promise<void> {
    await this.#copies.replaceOne({ _id: copy._id }, { ...copy, owner: this.#owner }, { upsert: true });
  }

  get #states(): Collection<StateDocument> {
    return this.#target.db(CHECKPOINTS).collection<StateDocument>('states');
  }

  get #copies(): Collection<CollectionCopy & Owned> {
    return rawDb(this.#target, CHECKPOINTS).collection<CollectionCopy & Owned>('copies');
  }
}
