import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { indexTableName } from '../../storage/model/index-definition.ts';
import { TestCluster } from '../../worker/testing.ts';

const DOCUMENTS = 3_000;
let cluster: TestCluster;
/** Called when other statements may run. */
let onYield: () => void;

beforeEach(() => {
  cluster = new TestCluster({}, { unsynced: true });
  cluster.run({ createIndexes: 'c', indexes: [{ key: { n: 1 }, name: 'n' }] });
  cluster.run({ insert: 'c', documents: Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, n: _id })) });
  let time = 0;
  onYield = () => {};
  cluster.clock.monotonic = () => (time += 0.25);
  cluster.worker.ports = { receive: () => onYield(), send() {} };
});

afterEach(() => cluster.remove());

/** Runs `validate`. Meanwhile other connections send the commands that `next` returns. */
function validateBeside(next: (sent: number) => Document | undefined): Document {
  let sent = 0;
  onYield = () => {
    const command = next(sent);
    if (command !== undefined) cluster.send(command, { connectionId: 100 + sent++ });
  };
  const reply = cluster.run({ validate: 'c' });
  onYield = () => {};
  assert.ok(sent > 0);
  return reply;
}

describe('validate, while others write', () => {
  it('reports no fault if documents are inserted, moved in an index, and deleted all the time', () => {
    const { valid, errors, warnings, extraIndexEntries, missingIndexEntries, indexDetails } = validateBeside(
      (sent) =>
        sent % 3 === 0
          ? { insert: 'c', documents: [{ n: sent }] }
          : sent % 3 === 1
            ? { update: 'c', updates: [{ q: { n: { $gte: 0 } }, u: { $mul: { n: -1 } } }] }
            : { delete: 'c', deletes: [{ q: { _id: DOCUMENTS - sent }, limit: 1 }] },
    );
    assert.deepEqual([valid, errors, missingIndexEntries, extraIndexEntries], [true, [], [], []]);
    assert.equal(warnings.length, 1);
    assert.deepEqual([indexDetails._id_.valid, indexDetails.n.valid], [true, true]);
  });

  it('compares everything if the writes end', () => {
    const reply = validateBeside((sent) =>
      sent < 1 ? { delete: 'c', deletes: [{ q: {}, limit: 1 }] } : undefined,
    );
    assert.deepEqual([reply.valid, reply.warnings, reply.nrecords], [true, [], DOCUMENTS - 1]);
    assert.deepEqual(reply.keysPerIndex, { _id_: DOCUMENTS - 1, n: DOCUMENTS - 1 });
  });

  it('finds a key that is missing in an index', () => {
    const db = new DatabaseSync(join(cluster.dir, 'cluster.db'));
    const indexes = db.prepare('SELECT number FROM indexes').all() as { number: number }[];
    for (const { number } of indexes) db.exec(`DELETE FROM ${indexTableName(number)} WHERE rid = 7`);
    db.close();
    const insert = (sent: number) => ({ insert: 'c', documents: [{ n: sent }] });
    const { valid, missingIndexEntries } = validateBeside(insert);
    assert.equal(valid, false);
    assert.deepEqual(missingIndexEntries, [{ indexName: 'n', recordId: 7n }]);
  });
});
