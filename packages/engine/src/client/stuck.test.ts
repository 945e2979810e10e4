import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { entryPoint } from '@portolan/foundation/entry-point';
import { wait } from '@portolan/foundation/wait';
import { processStarter } from './host-process.ts';
import { startEngine } from './testing/engine.ts';

test('a query thread that cannot be ended takes its host with it, and the next host serves the cluster', async (t) => {
  const startHost = processStarter(process.env, entryPoint(import.meta.filename, './testing/stuck-host'));
  const { engine, connect, dataDir, clusterId, stop } = await startEngine('stuck', { startHost });
  t.after(stop);
  const things = connect({ retryReads: false }).db('shop').collection<{ _id: number }>('things');
  await things.insertOne({ _id: 1 });
  const reported = new Set<string>();
  // The engine reports the stuck thread only for five seconds, and this process may miss the report. In this
  // case, block the thread again.
  while (reported.size === 0) {
    const { pid } = await engine.status();
    writeFileSync(join(dataDir, 'stick'), '');
    const unanswered = assert.rejects(things.findOne({ _id: 1 }));
    for (let isSame = true; isSame; await wait(machineClock(), 50)) {
      const troubled = await engine.troubled();
      isSame = (await engine.status()).pid === pid;
      if (isSame) for (const { message } of troubled) reported.add(message ?? 'no reason');
    }
    await unanswered;
  }
  assert.deepEqual([...reported], ['its query thread does not respond']);
  assert.equal((await engine.describe(clusterId))?.state, 'running');
  await things.insertOne({ _id: 2 });
  assert.deepEqual(await things.find().sort({ _id: 1 }).toArray(), [{ _id: 1 }, { _id: 2 }]);
});
