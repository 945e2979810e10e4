import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RawDocument } from '../../../bson/raw.ts';
import { collectionEvents } from './collection-event.ts';
import type { LoggedChange } from './entry.ts';
import type { Watched } from './watched.ts';

const options = {
  fullDocument: 'default',
  fullDocumentBeforeChange: 'off',
  allChangesForCluster: false,
  showExpandedEvents: true,
  showRawUpdateDescription: false,
  showSystemEvents: false,
} as const;
const watched: Watched = { scope: 'database', database: 'shop', name: '', options, find: () => undefined };

const operation = (more: Partial<LoggedChange>): LoggedChange => ({
  step: 0,
  kind: 'c',
  ns: 'shop.$cmd',
  uuid: undefined,
  o: RawDocument.empty,
  o2: undefined,
  image: { position: 1, step: 0 },
  ...more,
});

function eventsOf(more: Partial<LoggedChange>, how: Watched = watched): unknown[] {
  return collectionEvents(operation(more), how).map(({ operationType, body }) => [operationType, body.ns]);
}

const ns = { db: 'shop', coll: 'things' };

describe('a change of a collection as a whole', () => {
  for (const name of ['shardCollection', 'refineCollectionShardKey', 'reshardCollection']) {
    it(`is an event for ${name}, which the oplog records`, () => {
      const o2 = RawDocument.from({ [name]: 'shop.things', shardKey: { a: 1 } });
      assert.deepEqual(eventsOf({ kind: 'n', ns: 'shop.things', o2 }), [[name, ns]]);
    });
  }

  const changes = [
    ['createIndexes', { createIndexes: 'things', v: 2, key: { a: 1 }, name: 'a_1' }],
    ['dropIndexes', { dropIndexes: 'things', index: 'a_1' }],
    ['modify', { collMod: 'things', validationLevel: 'moderate' }],
    ['create', { create: 'things' }],
  ] as const;
  for (const [operationType, o] of changes) {
    it(`is an event ${operationType} for streams with expanded events`, () => {
      const change = { o: RawDocument.from(o), o2: RawDocument.from({ name: 'a_1' }) };
      assert.deepEqual(eventsOf(change), [[operationType, ns]]);
      const plain = { ...watched, options: { ...options, showExpandedEvents: false } };
      assert.deepEqual(eventsOf(change, plain), []);
      assert.deepEqual(eventsOf(change, { ...watched, database: 'other' }), []);
    });
  }

  it('is no event for system collections, unless requested', () => {
    const change = { o: RawDocument.from({ drop: 'system.views' }) };
    assert.deepEqual(eventsOf(change), []);
    const all = { ...watched, options: { ...options, showSystemEvents: true } };
    assert.deepEqual(eventsOf(change, all), [['drop', { db: 'shop', coll: 'system.views' }]]);
  });
});
