import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { MachineClock } from '@portolan/foundation/clock';
import { testClock } from '@portolan/foundation/testing';
import type { Document } from 'bson';
import type { IndexChanges } from '../interface/engine.ts';
import { SEARCH_FILE } from '../search/file/remove-file.ts';
import { SearchFollower } from '../search/follow/follower.ts';
import type { DiskState } from '../search/follow/room.ts';
import { Connection } from '../storage/file/connection.ts';
import { CLUSTER_ID, TestCluster } from './testing.ts';

/** Creates a search index named `default`, and builds it. */
export function buildSearchIndex(cluster: TestCluster, collection: string, index: Document): void {
  const indexes = [{ name: 'default', ...index }];
  const made = cluster.run({ createSearchIndexes: collection, indexes });
  assert.equal(made.ok, 1, made.errmsg);
  const follower = new SearchFollower(cluster.dir, undefined, new TestDisk(), testClock());
  while (follower.step() === 'busy');
  follower.close();
}

/** A simulated disk, whose free space tests set. */
export class TestDisk {
  room: DiskState = 'enough';

  look(): DiskState {
    return this.room;
  }
}

/** A collection `docs` with a search index, for tests of search results. */
export class TestSearch {
  readonly cluster = new TestCluster();
  readonly disk = new TestDisk();
  /** The clock that limits a step. It stands still unless a test advances it, so that a step is never cut short. */
  clock: Pick<MachineClock, 'monotonic'> = testClock();
  /** Maximum size of the search file in bytes. */
  most = Number.POSITIVE_INFINITY;
  #follower: SearchFollower | undefined;

  constructor(documents: readonly Document[], definition: Document, type = 'search') {
    this.cluster.run({ insert: 'docs', documents });
    const indexes = [{ name: 'default', type, definition }];
    const made = this.cluster.run({ createSearchIndexes: 'docs', indexes });
    assert.equal(made.ok, 1, made.errmsg);
    this.settle();
  }

  /** Returns the follower's statistics about the index. */
  followed(): IndexChanges | undefined {
    return Object.values(this.#follower?.figures() ?? {})[0];
  }

  /** Returns the description of the index from `listSearchIndexes`. */
  described(): Document {
    return this.cluster.run({ listSearchIndexes: 'docs' }).cursor.firstBatch[0];
  }

  /** Returns the size of the contents of the search file, without pages that are free. */
  size(): number {
    const file = new Connection(join(this.cluster.dir, SEARCH_FILE));
    const number = (name: string) => file.get<[number]>(`PRAGMA ${name}`)?.[0] ?? 0;
    const size = (number('page_count') - number('freelist_count')) * number('page_size');
    file.close();
    return size;
  }

  closeFollower(): void {
    this.#follower?.close();
    this.#follower = undefined;
  }

  /** Runs one step. Returns false if there is no more work. */
  step(): boolean {
    this.#follower ??= new SearchFollower(this.cluster.dir, undefined, this.disk, this.clock);
    this.#follower.most = this.most;
    const progress = this.#follower.step();
    // In production, the host tells the query thread why updates have stopped.
    this.cluster.worker.searchStopped(CLUSTER_ID, this.#follower.stopped);
    return progress === 'busy';
  }

  /** Runs steps until all changes are indexed. */
  settle(): void {
    while (this.step());
  }

  aggregate(...pipeline: Document[]): Document[] {
    const reply = this.cluster.run({ aggregate: 'docs', pipeline, cursor: { batchSize: 1_000 } });
    assert.equal(reply.ok, 1, reply.errmsg);
    return reply.cursor.firstBatch;
  }

  /** Returns the ids of the results, in the order of their scores. */
  ids(search: Document): unknown[] {
    return this.aggregate({ $search: search }).map(({ _id }) => _id);
  }

  scores(search: Document): Record<string, number> {
    const shown = { $project: { score: { $meta: 'searchScore' } } };
    const found = this.aggregate({ $search: search }, shown);
    return Object.fromEntries(found.map(({ _id, score }) => [_id, score]));
  }

  /** Returns the error message of a search that is rejected. */
  refused(...pipeline: Document[]): string {
    const reply = this.cluster.run({ aggregate: 'docs', pipeline, cursor: {} });
    assert.equal(reply.ok, 0, 'it was done');
    return reply.errmsg;
  }

  close(): void {
    this.#follower?.close();
    this.cluster.remove();
  }
}
