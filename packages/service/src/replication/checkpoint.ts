import type { ClientSession, Collection, Document, MongoClient, Timestamp } from 'mongodb';
import { codes, rawDb, runUnless } from './endpoints.ts';
import { codeOf } from './error-codes.ts';
import { CHECKPOINTS } from './names.ts';

/**
 * The progress of a migration. It is stored in the destination, in the same transaction as the writes that it covers.
 */
export interface ReplicationState {
  readonly phase: 'copying' | 'following' | 'done';
  /** The source time from which the migration follows changes. */
  readonly start: Timestamp;
  /** The source time from which the destination is consistent. Before that time, collections were being copied. */
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

/** Until the collections of an attempt are listed, the document of its state has no fields of `ReplicationState`. */
type StateDocument = Partial<ReplicationState> &
  Owned & { readonly _id: string; readonly attempt: number; readonly isListed: boolean };

const COPIES = 'copies';

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
   * Takes over the migration. Returns the progress of this attempt, or undefined if there is none. First ends all
   * sessions of the migration's user: a killed host may have left a transaction open, and this transaction would lock
   * its documents for a minute. Sessions of other clients do not end, because each migration and each temporary
   * deployment has its own user.
   */
  async claim(attempt: number): Promise<ReplicationState | undefined> {
    await this.#target.db('admin').command({ killSessions: [] });
    const own = { owner: this.#owner };
    const filter = { _id: this.#id, attempt, isListed: true };
    const found = await this.#states.findOneAndUpdate(filter, { $set: own });
    if (found === null) return undefined;
    await this.#copies.updateMany({}, { $set: own });
    return found as StateDocument & ReplicationState;
  }

  /**
   * Takes over the migration but not the progress of the previous owner, whose writes fail from now on. The names of
   * the previous owner's collections are kept until `list`.
   */
  async take(attempt: number): Promise<void> {
    const own = { owner: this.#owner };
    await this.#states.replaceOne({ _id: this.#id }, { attempt, isListed: false, ...own }, { upsert: true });
    // Older servers cannot create a collection in the transaction of `list`.
    await runUnless(this.#target.db(CHECKPOINTS), { create: COPIES }, codes.namespaceExists);
    await this.#copies.updateMany({}, { $set: own });
  }

  /** Returns the names of the collections that earlier attempts created. */
  async leftovers(): Promise<string[]> {
    return (await this.#copies.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  }

  /** Stores the first state and the collections of an attempt. Must be called after `take`. */
  async list(reached: ReplicationState, copies: readonly CollectionCopy[]): Promise<void> {
    const own = { owner: this.#owner };
    await this.#target.withSession((session) =>
      session.withTransaction(async () => {
        // This writes to the same document as `take`. If another owner takes over meanwhile, the transaction
        // therefore fails.
        await this.reach({ ...reached, isListed: true }, session);
        await this.#copies.deleteMany({}, { session });
        if (copies.length > 0)
          await this.#copies.insertMany(
            copies.map((copy) => ({ ...copy, ...own })),
            { session },
          );
      }),
    );
  }

  async copies(): Promise<CollectionCopy[]> {
    return (await this.#copies.find({}).sort({ _id: 1 }).toArray()) as unknown as CollectionCopy[];
  }

  async reach(change: Partial<StateDocument>, session?: ClientSession): Promise<void> {
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
    // `matchedCount` is of type Int32, because the driver does not convert values of this database.
    if (Number(matchedCount) === 0) throw new Superseded();
  }

  /**
   * Throws if another owner has taken over. Call this before writes that cannot share a transaction with the
   * checkpoint.
   */
  async assertOwned(): Promise<void> {
    if ((await this.#states.findOne({ _id: this.#id }))?.owner !== this.#owner) throw new Superseded();
  }

  /** Records a collection that is new, or that must be copied again. */
  async put(copy: CollectionCopy): Promise<void> {
    await this.assertOwned();
    const own = { owner: this.#owner };
    try {
      await this.#copies.replaceOne({ _id: copy._id, ...own }, { ...copy, ...own }, { upsert: true });
    } catch (error) {
      // Another owner has taken over the document meanwhile.
      if (codeOf(error) === codes.duplicateKey) throw new Superseded();
      throw error;
    }
  }

  get #states(): Collection<StateDocument> {
    return this.#target.db(CHECKPOINTS).collection<StateDocument>('states');
  }

  get #copies(): Collection<CollectionCopy & Owned> {
    return rawDb(this.#target, CHECKPOINTS).collection<CollectionCopy & Owned>(COPIES);
  }
}
