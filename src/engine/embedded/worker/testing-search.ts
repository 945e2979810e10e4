import assert from 'node:assert/strict';
import type { Document } from 'bson';
import { SearchFollower } from '../search/follow/follower.ts';
import { TestCluster } from './testing.ts';

/** A collection `docs` with a search index, for tests of what is found. */
export class TestSearch {
  readonly cluster = new TestCluster();
  #follower: SearchFollower | undefined;

  constructor(documents: readonly Document[], definition: Document, type = 'search') {
    this.cluster.run({ insert: 'docs', documents });
    const indexes = [{ name: 'default', type, definition }];
    const made = this.cluster.run({ createSearchIndexes: 'docs', indexes });
    assert.equal(made.ok, 1, made.errmsg);
    this.settle();
  }

  /** What was changed is indexed. */
  settle(): void {
    this.#follower ??= new SearchFollower(this.cluster.dir, undefined);
    while (this.#follower.step() === 'busy');
  }

  aggregate(...pipeline: Document[]): Document[] {
    const reply = this.cluster.run({ aggregate: 'docs', pipeline, cursor: { batchSize: 1_000 } });
    assert.equal(reply.ok, 1, reply.errmsg);
    return reply.cursor.firstBatch;
  }

  /** Ids of what is found, in the order of scores. */
  ids(search: Document): unknown[] {
    return this.aggregate({ $search: search }).map(({ _id }) => _id);
  }

  scores(search: Document): Record<string, number> {
    const shown = { $project: { score: { $meta: 'searchScore' } } };
    const found = this.aggregate({ $search: search }, shown);
    return Object.fromEntries(found.map(({ _id, score }) => [_id, score]));
  }

  /** What is said of a search that cannot be done. */
  refused(stage: Document): string {
    const reply = this.cluster.run({ aggregate: 'docs', pipeline: [stage], cursor: {} });
    assert.equal(reply.ok, 0, 'it was done');
    return reply.errmsg;
  }

  close(): void {
    this.#follower?.close();
    this.cluster.remove();
  }
}
