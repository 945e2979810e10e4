import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Document } from 'bson';
import { stageTable } from '../language/pipeline/stages.ts';
import { TestCluster } from './testing.ts';
import { hostileStatements } from './testing-hostile.ts';
import { hostileOperators } from './testing-hostile-operators.ts';
import { hostileStages } from './testing-hostile-stages.ts';

/** Stages that read only metadata, or that `testing-hostile-search.ts` tests within other stages. */
const others = new Set([
  ...['$listClusterCatalog', '$collStats', '$indexStats', '$currentOp', '$planCacheStats', '$querySettings'],
  ...['$queryStats', '$listSampledQueries', '$shardedDataDistribution', '$listSearchIndexes'],
  ...['$listLocalSessions', '$listSessions', '$changeStream', '$changeStreamSplitLargeEvent'],
  ...['$searchMeta', '$rankFusion', '$scoreFusion', '$score', '$vectorSearch', '$search'],
]);

const stagesOf = ({ pipeline = [] }: Document) => pipeline.flatMap((stage: object) => Object.keys(stage));

/** Runs a statement that may wait for the interpreter of scripts. */
async function run(cluster: TestCluster, command: Document): Promise<Document> {
  const sent = cluster.send(command);
  cluster.worker.runTurn();
  while (sent.reply === undefined) await setImmediate();
  return sent.reply;
}

describe('`npm run soak -- turns`', () => {
  it('has a statement for each stage', () => {
    const made = Object.values({ ...hostileStatements, ...hostileStages }).map((make) => make(100).command);
    const covered = new Set(made.flatMap(stagesOf));
    assert.deepEqual(
      Object.keys(stageTable).filter((name) => !covered.has(name) && !others.has(name)),
      [],
    );
    assert.deepEqual(
      [...others].filter((name) => !(name in stageTable)),
      [],
    );
  });

  it('has statements for each operator, which succeed or fail with an error of the operator', async () => {
    const cluster = new TestCluster({}, { unsynced: true });
    try {
      const wrong: string[] = [];
      let succeeded = 0;
      for (const [name, make] of Object.entries({ ...hostileStages, ...hostileOperators })) {
        const { documents, before = [], command } = make(100);
        cluster.run({ drop: 'c' });
        if (documents.length > 0) cluster.run({ insert: 'c', documents });
        for (const each of before) cluster.run(each);
        const { ok, code, errmsg, writeErrors = [] } = await run(cluster, command);
        if (ok === 1 && writeErrors.length === 0) succeeded++;
        else if (code === 1 || code === 8) wrong.push(`${name}: ${errmsg}`);
      }
      assert.deepEqual(wrong, []);
      assert.ok(succeeded > 300, `${succeeded}`);
    } finally {
      cluster.remove();
    }
  });
});
