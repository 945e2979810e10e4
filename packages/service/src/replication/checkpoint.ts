import type { ClientSession, Collection, Document, MongoClient, Timestamp } from 'mongodb';
import { rawDb } from './endpoints.ts';
import { CHECKPOINTS } from './names.ts';

/**
 * The progress of a migration. It is stored in the destination, in the same transaction as the writes that it covers.
 */
export interface ReplicationState {
  readonly phase: 'copying' | 'following' | 'done';
  /** The source time from which the migration follows changes. */
  readonly start: Timestamp;
  /** The source time from which the destination is consistent. Until then, collections were being copied. */
  readonly consistentAt?: Timestamp;
  /** Whether all indexes exist, including the unique ones. */
  readonly indexed: boolean;
  /** The resume token of the last applied change. */
  readonly token?: Document;
  readonly position?: Timestamp;
}

/** The progress of the copy of one collection. */
export interface CollectionCopy {
  /** The namespace of the collection: `database.collection`. */
  readonly _id: string;
  readonly options: Document;
  readonly isView: boolean;
  /** The source time up to which the copy includes all changes. */
  readonly since?: Timestamp;
  readonly copied: boolean;
  /** The id of the last copied document. */
  readonly last?: { readonly id: unknown };
  /** The last copied document of a capped collection. Inserts up to this document are skipped. */
  readonly skipTo?: { readonly id: unknown };
}

/** The error if another migration host, or a later start of this host, has taken over the migration. */
export class Superseded extends Error {
  constructor() {
    super('another migration host has taken over the migration');
    this.name = 'Superseded';
  }
}

interface Owned {
  readonly owner: string;
}

type StateDocument = ReplicationState & Owned & { readonly _id: string; readonly attempt: number };

/** The stored progress of a migration. After another owner has taken over, every write fails. */
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
   * Takes over the migration. Returns the progress of this attempt; undefined if there is none. First ends all sessions
   * of the migration's user: a killed host may have left a transaction open, which would lock its documents for a
   * minute. Each migration and each temporary deployment has its own user, so no sessions of other clients end.
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

  /** Takes over from other owners, without their progress. Their writes fail from now on. */
  async take(attempt: number, reached: ReplicationState): Promise<void> {
    const owned = { attempt, owner: this.#owner };
    await this.#states.replaceOne({ _id: this.#id }, { ...reached, ...owned }, { upsert: true });
    await this.#copies.deleteMany({});
  }

  /** Returns the names of the collections that earlier attempts created. */
  async leftovers(): Promise<string[]> {
    return (await this.#copies.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  }

  async begin(attempt: number, reached: ReplicationState, copies: readonly CollectionCopy[]): Promise<void> {
    const owned = { owner: this.#owner };
    await this.#copies.deleteMany({});
    if (copies.length > 0) await this.#copies.insertMany(copies.map((copy) => ({ ...copy, ...owned })));
    // Write the state last, so that a reader of the state finds the collections.
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

  /** Throws if another owner has taken over. For writes that cannot share a transaction with the checkpoint. */
  async assertOwned(): Promise<void> {
    if ((await this.#states.findOne({ _id: this.#id }))?.owner !== this.#owner) throw new Superseded();
  }

  /** Records a collection that is new, or that must be copied again. */
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
