import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Document, Long, UUID } from 'bson';
import { TestCluster } from './testing.ts';
import { hostileStatements, inOnePass } from './testing-hostile.ts';
import { buildSearchIndex } from './testing-search.ts';

const SIZE = 20_000;
/**
 * Minimum number of times that a statement reads the clock. A statement reads the clock once per 512 values, after the
 * first 8,192 values.
 */
const LEAST = 5;

/** Runs a command that may wait for the interpreter of scripts. */
async function run(cluster: TestCluster, command: Document): Promise<Document> {
  const sent = cluster.send(command);
  cluster.worker.runTurn();
  while (sent.reply === undefined) await setImmediate();
  return sent.reply;
}

/** `npm run soak -- turns` measures the time between two readings of the clock. */
describe('a statement looks at the clock often while it works through', () => {
  for (const [name, make] of Object.entries(hostileStatements)) {
    if (inOnePass.has(name)) continue;
    it(name, async () => {
      const cluster = new TestCluster({}, { unsynced: true });
      try {
        const { documents, before = [], searchIndex, command } = make(SIZE);
        if (documents.length > 0) await run(cluster, { insert: 'c', documents });
        for (const each of before) await run(cluster, each);
        if (searchIndex !== undefined) buildSearchIndex(cluster, 'c', searchIndex);
        await run(cluster, { find: 'c', filter: { $where: 'true' }, limit: 1 });
        let looks = 0;
        cluster.clock.monotonic = () => looks++ / 1_000;
        await run(cluster, command);
        assert.ok(looks >= LEAST, `${looks}`);
      } finally {
        cluster.remove();
      }
    });
  }

  it('each table of a database that is dropped', async () => {
    const cluster = new TestCluster({}, { unsynced: true });
    try {
      const collections = 20;
      for (let i = 0; i < collections; i++)
        await run(cluster, { createIndexes: `c${i}`, indexes: [{ key: { a: 1 }, name: 'a' }] });
      let looks = 0;
      cluster.clock.monotonic = () => looks++ / 1_000;
      assert.deepEqual((await run(cluster, { dropDatabase: 1 })).ok, 1);
      assert.ok(looks >= 2 * collections, `${looks}`);
    } finally {
      cluster.remove();
    }
  });

  it('the many documents that a transaction has written', async () => {
    const cluster = new TestCluster({}, { unsynced: true });
    try {
      const many = 5_000;
      const session = { lsid: { id: new UUID() }, txnNumber: Long.ONE, autocommit: false };
      await run(cluster, { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] });
      const documents = Array.from({ length: many }, (_, i) => ({ a: (i * 7_919) % many }));
      await run(cluster, { insert: 'c', documents, ...session, startTransaction: true });
      let looks = 0;
      cluster.clock.monotonic = () => looks++ / 1_000;
      const { cursor } = await run(cluster, { find: 'c', sort: { a: 1 }, limit: 2, ...session });
      assert.deepEqual(
        cursor.firstBatch.map(({ a }: Document) => a),
        [0, 1],
      );
      assert.ok(looks > many / 2, `${looks}`);
    } finally {
      cluster.remove();
    }
  });

  it('many patterns of sessions to kill', async () => {
    const cluster = new TestCluster({}, { unsynced: true });
    try {
      const ids = (count: number) => Array.from({ length: count }, () => ({ id: new UUID() }));
      await run(cluster, { refreshSessions: ids(500) });
      let looks = 0;
      cluster.clock.monotonic = () => looks++ / 1_000;
      const patterns = ids(200).map((lsid) => ({ lsid }));
      assert.equal((await run(cluster, { killAllSessionsByPattern: patterns })).ok, 1);
      assert.ok(looks > 100, `${looks}`);
    } finally {
      cluster.remove();
    }
  });

  it('exempts only statements that exist', () => {
    for (const name of inOnePass) assert.ok(name in hostileStatements, name);
  });
});
