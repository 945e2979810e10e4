import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsOf, runGenerated } from './support/generated/run.ts';
import { onEachSetup } from './support/setups.ts';

/** The seed of the requests. `npm run soak -- generated-requests` sends many more requests. */
const SEED = Number(process.env.TEST_SEED ?? 1852);
const REQUESTS = 300;

onEachSetup('requests generated from the OpenAPI documents', (setup) => {
  test(`get responses that the documents describe (seed ${SEED})`, async () => {
    const documents = await documentsOf(setup);
    const report = await runGenerated({ setup, documents, seed: SEED, requests: REQUESTS });
    assert.deepEqual(report.findings, []);
    assert.ok(report.succeeded.size > 15, `${report.succeeded.size} operations went well`);
  });
});
