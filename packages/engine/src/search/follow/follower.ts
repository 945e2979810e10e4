import type { MachineClock } from '@portolan/foundation/clock';
import { errorMessage } from '@portolan/foundation/thrown';
import { RawDocument } from '../../bson/raw.ts';
import type { IndexChanges } from '../../interface/engine.ts';
import type { Connection } from '../../storage/file/connection.ts';
import { StorageError } from '../../storage/file/storage-error.ts';
import { INCREMENTS, partsOfPosition } from '../../storage/oplog/position.ts';
import type { SearchIndexRow } from '../../storage/search-index-table.ts';
import { openSearchFile } from '../file/search-file.ts';
import { type GenerationStatus, isServing, SERVING } from '../file/search-reader.ts';
import { deleteRemoved } from '../file/segment-writer.ts';
import type { IndexPlan } from '../mapping/definition.ts';
import { faultInSynonyms } from '../synonyms.ts';
import { type BuildMemory, buildMemory } from './build-memory.ts';
import { type Changes, ClusterReader, type CollectionTable } from './cluster-reader.ts';
import { FileRoom } from './file-room.ts';
import { IndexGeneration, markMissed, removeInTransaction } from './generation.ts';
import type { DiskSpace } from './room.ts';

/** Maximum number of oplog entries per round (see `SearchFollower.step`). */
const ROUND = 2_000;
/**
 * The time limit of a step, and of reading a collection within a round. Both may take longer, because a round
 * reads at least one document, which may have a million terms.
 */
const STEP_MS = 50;
const DISK_FULL = 'the disk is full';
/** Why updates stop, or why a build fails, when the file has reached its maximum size. */
const FILE_FULL = 'the search indexes of the cluster are larger than its disk';

/** Whether a step found anything to do. */
export type Progress = 'busy' | 'idle';

/**
 * Updates the search indexes of a cluster. It builds new indexes, applies the oplog to existing indexes, and
 * removes dropped indexes. It is the only writer of the search file. Each transaction stores the oplog
 * position that it includes, so that a later follower continues from there.
 */
export class SearchFollower {
  readonly #reader: ClusterReader;
  readonly #file: Connection;
  readonly #fileRoom: FileRoom;
  readonly #room: Pick<DiskSpace, 'look'>;
  readonly #clock: Pick<MachineClock, 'monotonic'>;
  readonly #memory: BuildMemory;
  readonly #endHolding: () => void;
  /** The current round, which may have an open transaction. */
  #round: Iterator<void, Progress> | undefined;
  #generations: IndexGeneration[] = [];
  #defined = '';
  #version = -1;
  #caughtUp = false;
  /** Whether the synonym documents of an index are valid, by index id. */
  readonly #synonyms = new Map<string, 'FAILED' | 'READY'>();
  /** Why updates have stopped; undefined while they continue. */
  stopped: string | undefined;

  constructor(
    dir: string,
    key: Uint8Array | undefined,
    room: Pick<DiskSpace, 'look'>,
    clock: Pick<MachineClock, 'monotonic'>,
    memory = buildMemory,
  ) {
    this.#memory = memory;
    this.#room = room;
    this.#clock = clock;
    this.#reader = new ClusterReader(dir, key);
    try {
      this.#file = openSearchFile(dir, key);
    } catch (error) {
      this.#reader.close();
      throw error;
    }
    this.#fileRoom = new FileRoom(this.#file);
    this.#endHolding = memory.add(() => this.#generations.map(({ held }) => held));
  }

  /** Sets the maximum size of the search file in bytes. */
  set most(bytes: number) {
    this.#fileRoom.most = bytes;
  }

  /**
   * Runs the next part of the current round, for some tens of milliseconds. A round does the pending work of
   * all indexes.
   */
  step(): Progress {
    if (this.#room.look() === 'none') {
      // Removes dropped indexes even then, because this frees space.
      if (this.#round === undefined) for (const _ of this.#look());
      this.stopped = DISK_FULL;
      return 'idle';
    }
    if (this.stopped === DISK_FULL) this.stopped = undefined;
    const round = this.#round ?? this.#nextRound();
    this.#round = undefined;
    const inTime = this.#inTime();
    do {
      const { done, value } = round.next();
      if (done === true) return value;
    } while (inTime());
    this.#round = round;
    return 'busy';
  }

  *#nextRound(): Generator<void, Progress> {
    yield* this.#look();
    if (this.#fileRoom.isFull()) return yield* this.#makeRoom();
    this.stopped = undefined;
    return yield* this.#goRound();
  }

  /** Returns a function that returns true until the time of the step is over. */
  #inTime(): () => boolean {
    const end = this.#clock.monotonic() + STEP_MS;
    return () => this.#clock.monotonic() < end;
  }

  *#look(): Generator<void> {
    const version = this.#reader.version;
    if (version === this.#version) return;
    this.#version = version;
    this.#caughtUp = false;
    yield* this.#define();
  }

  /** Does the pending work of all indexes and yields after each part. */
  *#goRound(): Generator<void, Progress> {
    if (!this.#caughtUp) yield* this.#follow();
    return (yield* this.#work()) || !this.#caughtUp ? 'busy' : 'idle';
  }

  /**
   * Lets the first builds fail that have not ended, and frees the space of removed segments. Stops the updates if the
   * file is still full.
   */
  *#makeRoom(): Generator<void, Progress> {
    const builds = this.#generations.filter(({ status }) => status === 'BUILDING');
    for (const generation of builds) generation.discard(FILE_FULL);
    yield* deleteRemoved(this.#file);
    if (!this.#fileRoom.isFull()) return 'busy';
    this.stopped = FILE_FULL;
    return 'idle';
  }

  /** True if the cluster has search indexes. */
  get used(): boolean {
    return this.#generations.length > 0;
  }

  /** Returns statistics of the newest generation of each index, by index id. */
  figures(): Record<string, IndexChanges> {
    const { seconds: newest } = partsOfPosition(this.#reader.newest());
    const all = this.#generations.toSorted((a, b) => a.index.version - b.index.version);
    return Object.fromEntries(
      all.map(({ index, changes, position, stale }) => {
        // The lag counts from the first entry that is not indexed, because the last indexed entry may be hours older.
        const next = this.#caughtUp ? undefined : this.#reader.nextAfter(position);
        const behind = next === undefined ? 0 : newest - partsOfPosition(next).seconds;
        const synonyms = this.#synonyms.get(index.id);
        const state = { ...(stale !== undefined && { stale }), ...(synonyms !== undefined && { synonyms }) };
        return [index.id, { ...changes, lag: Math.max(behind, 0), ...state }];
      }),
    );
  }

  /** Opens the generations of all indexes. Yields after each, because reading a definition takes up to 30 ms. */
  *#define(): Generator<void> {
    const indexes = this.#reader.indexes();
    const defined = indexes.map(({ id, version }) => `${id} ${version}`).join('\n');
    if (defined === this.#defined && this.#generations.every((one) => this.#reader.holds(one.position)))
      return;
    const kept = new Map(this.#generations.map((one) => [keyOf(one.index), one]));
    const all = this.#file.all<[number, string, number, GenerationStatus, number]>(
      'SELECT number, ix, version, status, position FROM generations ORDER BY version',
    );
    for (const [number, ix, version, status, position] of all) {
      const index = indexes.find(({ id }) => id === ix);
      const wanted = index !== undefined && (version === index.version || isServing({ status }));
      if (wanted && this.#reader.holds(kept.get(`${ix} ${version}`)?.position ?? position)) continue;
      if (wanted && isServing({ status })) markMissed(this.#file, number, this.#reader.newest());
      else removeInTransaction(this.#file, number);
      kept.delete(`${ix} ${version}`);
      yield;
    }
    const opened: IndexGeneration[] = [];
    for (const index of indexes) {
      opened.push(...this.#open(index, kept));
      yield;
    }
    this.#generations = opened;
    this.#defined = defined;
    this.#synonyms.clear();
  }

  /**
   * Opens the generation of the newest version, and the generation that serves queries until the newest is
   * ready.
   */
  #open(index: SearchIndexRow, kept: ReadonlyMap<string, IndexGeneration>): IndexGeneration[] {
    const newest =
      kept.get(keyOf(index)) ?? IndexGeneration.open(this.#file, index, () => this.#reader.newest());
    if (newest.serving) {
      this.#removeBefore(index);
      return [newest];
    }
    const serving = this.#file.get<[number]>(
      `SELECT max(version) FROM generations WHERE ix = ? AND version < ? AND ${SERVING}`,
      index.id,
      index.version,
    )?.[0];
    if (serving === undefined || serving === null) return [newest];
    const before = { ...index, version: serving };
    const found = kept.get(keyOf(before)) ?? IndexGeneration.open(this.#file, this.#stored(before), () => 0);
    return [found, newest];
  }

  /** Returns the row of an index with the stored definition of an older version. */
  #stored(index: SearchIndexRow): SearchIndexRow {
    const row = this.#file.get<[Uint8Array, Uint8Array | null, number]>(
      'SELECT definition, analyzers, created FROM generations WHERE ix = ? AND version = ?',
      index.id,
      index.version,
    );
    if (row === undefined) return index;
    const [definition, analyzers, created] = row;
    return {
      ...index,
      definition: new RawDocument(definition),
      analyzers: analyzers === null ? undefined : new RawDocument(analyzers),
      created,
    };
  }

  #removeBefore(index: SearchIndexRow): void {
    const old = this.#file.all<[number]>(
      'SELECT number FROM generations WHERE ix = ? AND version < ?',
      index.id,
      index.version,
    );
    for (const [number] of old) removeInTransaction(this.#file, number);
  }

  *#follow(): Generator<void> {
    const following = this.#generations.filter(({ status }) => status !== 'FAILED');
    if (following.length === 0) {
      this.#caughtUp = true;
      return;
    }
    const from = Math.min(...following.map(({ position }) => position));
    const { documents, changes, position, ended } = this.#reader.changesAfter(from, ROUND);
    for (const { index, plan } of following) {
      if (this.#sourcesOf(index, plan).some(({ uuid }) => documents.has(uuid)))
        this.#synonyms.delete(index.id);
    }
    for (const generation of following) {
      if (generation.position >= position) continue;
      const place = this.#reader.collection(generation.index.uuid);
      const uuid = Buffer.from(generation.index.uuid).toString('hex');
      const touched = documents.get(uuid);
      generation.count(changes.get(uuid) ?? none);
      if (place !== undefined && touched !== undefined) {
        yield* this.#guarded(generation, generation.touch(this.#reader, place.table, touched.values()));
      }
      if (touched !== undefined || generation.position < position - FORGOTTEN)
        yield* generation.flush(position);
      else generation.position = position;
    }
    this.#caughtUp = ended;
  }

  /** Returns the existing collections from which an index takes synonyms. */
  #sourcesOf({ uuid }: SearchIndexRow, { synonyms }: IndexPlan): readonly CollectionTable[] {
    const database = synonyms.length === 0 ? undefined : this.#reader.collection(uuid)?.database;
    if (database === undefined) return [];
    return synonyms.flatMap(({ collection }) => this.#reader.named(database, collection) ?? []);
  }

  /** Checks the synonym documents again after they have changed. */
  *#checkSynonyms(): Generator<void> {
    for (const { index, plan } of this.#generations) {
      if (plan.synonyms.length === 0 || this.#synonyms.has(index.id)) continue;
      let state: 'FAILED' | 'READY' = 'READY';
      for (const { table } of this.#sourcesOf(index, plan)) {
        for (const document of this.#reader.documents(table)) {
          if (faultInSynonyms(document) !== undefined) state = 'FAILED';
          if (state === 'FAILED') break;
          yield;
        }
      }
      this.#synonyms.set(index.id, state);
    }
  }

  /** Builds and merges indexes. Returns true while there is more to do. */
  *#work(): Generator<void, boolean> {
    let more = false;
    if (this.#caughtUp) yield* this.#checkSynonyms();
    for (const generation of this.#generations) {
      const place = this.#reader.collection(generation.index.uuid);
      if (place === undefined || generation.status === 'FAILED') continue;
      if (generation.building) {
        const continues = yield* this.#guarded(generation, this.#build(generation, place.table));
        if (continues !== true) this.#ready(generation);
        more = true;
      } else if ((yield* this.#guarded(generation, generation.merge(this.#reader, place.table))) === true)
        more = true;
    }
    yield* deleteRemoved(this.#file);
    return more;
  }

  *#build(generation: IndexGeneration, table: string): Generator<void, boolean> {
    if (this.#memory.mustWrite(generation.held)) yield* generation.flush(generation.position);
    if (this.#memory.isFull) return true;
    if (yield* generation.scan(this.#reader, table, this.#inTime())) return true;
    return yield* generation.sweep(this.#reader, table);
  }

  /** Removes the older generations that a ready one replaces. */
  #ready({ index, status }: IndexGeneration): void {
    if (status !== 'READY') return;
    this.#generations = this.#generations.filter(
      (one) => one.index.id !== index.id || one.index.version >= index.version,
    );
    this.#removeBefore(index);
  }

  /**
   * Runs work on a generation. If a document cannot be indexed, the definition or the code is wrong, so this
   * generation fails and the others continue. Errors of the file are thrown, because they may be temporary. The
   * caller then tries again.
   */
  *#guarded<T>(generation: IndexGeneration, work: Generator<void, T>): Generator<void, T | undefined> {
    try {
      return yield* work;
    } catch (error) {
      if (error instanceof StorageError) throw error;
      generation.fail(errorMessage(error));
      return undefined;
    }
  }

  /** Closes the files, which rolls back an open transaction. */
  close(): void {
    this.#endHolding();
    this.#file.close();
    this.#reader.close();
  }
}

const none: Changes = { inserts: 0, updates: 0, deletes: 0 };

/**
 * When the oplog has advanced by this much, which is ten seconds, the follower stores its new position for an index
 * even if nothing in the index has changed. After a restart, the follower reads the oplog from the stored position on.
 */
const FORGOTTEN = 10 * INCREMENTS;

function keyOf({ id, version }: SearchIndexRow): string {
  return `${id} ${version}`;
}
