import { setImmediate } from 'node:timers/promises';
import type { MachineClock } from '@portolan/foundation/clock';
import type { ChangeStream, Document, MongoClient, Timestamp } from 'mongodb';
import { applyBatch } from './apply.ts';
import { applyStructure, dropUniqueIndexes } from './apply-structure.ts';
import { type Change, isOfDocument } from './changes.ts';
import type { Checkpoint, CollectionCopy, ReplicationState } from './checkpoint.ts';
import { copyCollection, sameId } from './copy.ts';
import { isCopied } from './deployments.ts';
import { type Endpoints, EXACT, latestOperationTime, nameOf, namespaceOf } from './endpoints.ts';
import { positionAfter, precedingTime } from './resume-tokens.ts';
import { StallWatch } from './stall.ts';
import { completeIndexes, dropCollection } from './structure.ts';

export const MAX_CHANGES = 1000;
export const MAX_BYTES = 8 * 2 ** 20;
/** How long to wait for more changes before a batch is applied. */
const GATHER_MS = 30;
/** Interval between two queries of the source's newest operation time. */
const HEAD_MS = 250;
/** How long the source waits for a change before it returns an empty batch. */
const AWAIT_MS = 200;
/** How often to store the position in the stream while there is nothing to apply. */
const NOTE_MS = 10_000;

export interface StreamPosition {
  /** The source time up to which all changes have been applied. */
  readonly position: Timestamp;
  /** The newest operation time of the source, as last queried. */
  readonly head: Timestamp;
  /** Whether the destination equals the source at `position`. */
  readonly isExact: boolean;
}

interface FollowOptions {
  readonly endpoints: Endpoints;
  readonly checkpoint: Checkpoint;
  readonly machine: MachineClock;
  readonly signal: AbortSignal;
  readonly reached: ReplicationState;
  readonly copies: readonly CollectionCopy[];
  readonly onPosition: (place: StreamPosition) => void;
}

/** Follows the changes of a source and applies them in order to the destination. */
export class Follower {
  readonly #options: FollowOptions;
  readonly #copies: Map<string, CollectionCopy>;
  #reached: ReplicationState;
  #noted = 0;
  #asked: Promise<Document | null> | undefined;
  /** Changes after the last operation to apply. They are applied only if a later operation becomes the last one. */
  #held: Change[] = [];

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#reached = options.reached;
    this.#copies = new Map(options.copies.map((copy) => [copy._id, copy]));
  }

  /**
   * Follows changes until `isLast` returns true. Then continues until it has applied all changes that the source had
   * when `isLast` returned true. Applies none of the later changes, unless documents were read again meanwhile.
   */
  async follow(isLast: () => boolean): Promise<void> {
    const { endpoints, machine, signal, onPosition } = this.#options;
    const stream = openStream(endpoints.source, this.#reached);
    let last: Timestamp | undefined;
    let head = this.#reached.start;
    let read = Number.NEGATIVE_INFINITY;
    const stall = new StallWatch(machine, endpoints.source);
    try {
      for (;;) {
        if (signal.aborted) throw signal.reason;
        const isOver = isLast();
        if (isOver || machine.monotonic() - read >= HEAD_MS) {
          read = machine.monotonic();
          head = await latestOperationTime(endpoints);
        }
        if (isOver) last ??= head;
        const { changes, token } = await this.#gather(stream);
        const isPast = await this.#applyUpTo(last, changes);
        const latest = changes.at(-1)?.clusterTime;
        const position = isPast ? last : positionAfter(token, latest, endpoints.sourceSharded);
        const { consistentAt } = this.#reached;
        if (last !== undefined && before(last, consistentAt)) last = consistentAt;
        if (position === undefined) continue;
        if (!this.#reached.indexed && !before(position, consistentAt)) await this.#complete();
        if (token && !isPast) await this.#note(token);
        onPosition({ position, head, isExact: this.#reached.indexed });
        if (last === undefined) continue;
        if (this.#reached.indexed && !before(position, last)) return;
        await stall.check(position, changes.length === 0);
      }
    } finally {
      this.#asked?.catch(() => {});
      await stream.close();
    }
  }

  /**
   * Returns the changes that are available now, and those that arrive while the previous batch is being applied.
   * `token` is the resume token of the empty batch that followed these changes, if any.
   */
  async #gather(
    stream: ChangeStream<Document, Document>,
  ): Promise<{ readonly changes: Change[]; readonly token?: Document }> {
    const { machine } = this.#options;
    const changes = this.#held.splice(0);
    const until = machine.monotonic() + GATHER_MS;
    let bytes = 0;
    while (changes.length < MAX_CHANGES && bytes < MAX_BYTES) {
      this.#asked ??= stream.tryNext();
      const isThere = await Promise.race([this.#asked.then(() => true), setImmediate(false)]);
      if (!isThere && changes.length > 0 && machine.monotonic() >= until) break;
      const change = (await this.#asked) as unknown as Change | null;
      this.#asked = undefined;
      if (change === null) return { changes, token: (stream.resumeToken ?? {}) as Document };
      changes.push(change);
      bytes += sizeOf(change);
    }
    return { changes };
  }

  /**
   * Applies the changes up to the operation time `last`, and holds the later ones. Returns whether there are later
   * ones. The stream has then returned all changes up to `last`, because it returns changes in the order of their times.
   */
  async #applyUpTo(last: Timestamp | undefined, changes: readonly Change[]): Promise<boolean> {
    const later = changes.findIndex(({ clusterTime }) => last?.lessThan(clusterTime) === true);
    const count = later < 0 ? changes.length : later;
    await this.#apply(changes.slice(0, count));
    this.#held = changes.slice(count);
    return this.#held.length > 0;
  }

  /** Applies changes of documents in batches, and changes of collections one by one. */
  async #apply(changes: readonly Change[]): Promise<void> {
    let documents: Change[] = [];
    for (const change of changes) {
      if (!isCopied(change.ns.db)) continue;
      if (isOfDocument(change)) {
        documents.push(change);
        continue;
      }
      await this.#applyDocuments(documents);
      documents = [];
      await this.#applyStructure(change);
      await this.#reach({ token: change._id, position: change.clusterTime });
    }
    await this.#applyDocuments(documents);
  }

  async #applyDocuments(all: readonly Change[]): Promise<void> {
    const last = all.at(-1);
    if (last === undefined) return;
    const { endpoints, checkpoint } = this.#options;
    const passed: string[] = [];
    const changes = all.filter((change) => !this.#isCopiedAlready(change) && !this.#isInCopy(change, passed));
    const reached = { token: last._id, position: last.clusterTime };
    const mode = { sharded: endpoints.targetSharded, exact: this.#reached.indexed };
    const names = new Set(changes.map(({ ns }) => nameOf({ db: ns.db, coll: ns.coll ?? '' })));
    const capped = new Set([...names].filter((name) => this.#copies.get(name)?.options.capped === true));
    const met = await applyBatch(endpoints, checkpoint, { changes, reached, capped, passed }, mode);
    if (met.reread) await this.#wait(met.doubles);
    if (met.doubles.length > 0) await this.#applyDocuments(all);
    else this.#reached = { ...this.#reached, ...reached };
  }

  /**
   * Marks the destination as inconsistent until later changes have been applied. It is inconsistent because some
   * documents are newer than the position, or because unique values occur twice.
   */
  async #wait(doubles: readonly string[]): Promise<void> {
    const { endpoints } = this.#options;
    await this.#reach({ indexed: false, consistentAt: await latestOperationTime(endpoints) });
    for (const name of doubles) await dropUniqueIndexes(endpoints, namespaceOf(name));
  }

  /**
   * Whether the copy of a collection already includes a change. A copy includes all changes before its start. A
   * collection that did not exist when the migration started has no copy time, so the start of the migration counts.
   */
  #isCopiedAlready({ ns, clusterTime }: Change): boolean {
    const since = this.#copies.get(nameOf({ db: ns.db, coll: ns.coll ?? '' }))?.since ?? this.#reached.start;
    return !before(since, clusterTime);
  }

  /**
   * Whether an insert into a capped collection is part of the copy already. Repeating it would move the document to the
   * end.
   */
  #isInCopy({ ns, operationType, documentKey }: Change, passed: string[]): boolean {
    const name = nameOf({ db: ns.db, coll: ns.coll ?? '' });
    const copy = this.#copies.get(name);
    if (copy?.skipTo === undefined || operationType !== 'insert') return false;
    if (sameId(copy.skipTo.id, documentKey?._id)) {
      const { skipTo: _, ...rest } = copy;
      this.#copies.set(name, rest);
      passed.push(name);
    }
    return true;
  }

  async #applyStructure(change: Change): Promise<void> {
    const { endpoints, checkpoint } = this.#options;
    const { ns, to, operationType } = change;
    const isExact = this.#reached.indexed;
    if (to !== undefined && !isExact)
      return this.#copyRenamed([nameOf({ db: ns.db, coll: ns.coll ?? '' }), nameOf(to)]);
    if (this.#isCopiedAlready(change) || (operationType === 'dropDatabase' && !isExact)) return;
    await checkpoint.assertOwned();
    await applyStructure(endpoints, change, isExact);
    const made = operationType === 'create' ? ns : to;
    if (made?.coll === undefined) return;
    // Record the collection, so that a restart of the migration drops it, too. Its copy time precedes its creation,
    // because documents that were inserted in the same transaction have the time of the creation.
    const since = precedingTime(change.clusterTime);
    const _id = nameOf({ db: made.db, coll: made.coll });
    const copy: CollectionCopy = {
      _id,
      options: change.operationDescription ?? {},
      isView: false,
      since,
      copied: true,
    };
    await checkpoint.put(copy);
    this.#copies.set(_id, copy);
  }

  /**
   * Copies renamed collections again. A copy that starts after the rename finds no collection with the old name, so
   * it has copied nothing.
   */
  async #copyRenamed(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#copyAnew(name);
    await this.#reach({ consistentAt: await latestOperationTime(this.#options.endpoints) });
  }

  async #copyAnew(_id: string): Promise<void> {
    const { endpoints, checkpoint, signal } = this.#options;
    const copy: CollectionCopy = { _id, options: {}, isView: false, copied: false };
    await checkpoint.put(copy);
    await dropCollection(endpoints, namespaceOf(_id));
    await copyCollection(endpoints, checkpoint, copy, { signal });
    const kept = (await checkpoint.copies()).find((one) => one._id === _id);
    if (kept) this.#copies.set(_id, kept);
  }

  async #complete(): Promise<void> {
    await this.#options.checkpoint.assertOwned();
    await completeIndexes(this.#options.endpoints);
    await this.#reach({ indexed: true });
  }

  async #note(token: Document): Promise<void> {
    const { machine } = this.#options;
    if (machine.monotonic() - this.#noted < NOTE_MS) return;
    this.#noted = machine.monotonic();
    await this.#reach({ token });
  }

  async #reach(change: Partial<ReplicationState>): Promise<void> {
    await this.#options.checkpoint.reach(change);
    this.#reached = { ...this.#reached, ...change };
  }
}

/** Opens a stream of all changes from a token or, without a token, from an operation time. */
export function openStream(
  source: MongoClient,
  { start, token }: Pick<ReplicationState, 'start' | 'token'>,
): ChangeStream<Document, Document> {
  return source.watch<Document, Document>([], {
    ...EXACT,
    showExpandedEvents: true,
    maxAwaitTimeMS: AWAIT_MS,
    batchSize: MAX_CHANGES,
    ...(token === undefined ? { startAtOperationTime: start } : { startAfter: token }),
  });
}

function before(one: Timestamp, other: Timestamp | undefined): boolean {
  return other !== undefined && one.lessThan(other);
}

/** Estimates the size of a change, to keep batches of large documents small. */
export function sizeOf({ fullDocument, updateDescription }: Change): number {
  const values = Object.values(fullDocument ?? updateDescription?.updatedFields ?? {});
  return values.reduce<number>((sum, value) => sum + lengthOf(value), 200);
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.length * 50;
  const { buffer } = (value ?? {}) as { readonly buffer?: { readonly length?: number } };
  return buffer?.length ?? 50;
}
