import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { wait } from '@portolan/foundation/wait';
import { entryPoint } from '../host/entry-point.ts';
import { processStarter } from './host-process.ts';
import { startEngine } from './testing/engine.ts';

test('a query thread that cannot be ended takes its host with it, and the next host serves the cluster', async (t) => {
  const startHost = processStarter(process.env, entryPoint(import.meta.filename, './testing/stuck-host'));
  const { engine, connect, dataDir, clusterId, stop } = await startEngine('stuck', { startHost });
  t.after(stop);
  const things = connect({ retryReads: false }).db('shop').collection<{ _id: number }>('things');
  await things.insertOne({ _id: 1 });
  const { pid } = await engine.status();
  writeFileSync(join(dataDir, 'stick'), '');
  const unanswered = assert.rejects(things.findOne({ _id: 1 }));
  const messages: string[] = [];
  for (let last = ''; last !== 'ended'; await wait(machineClock(), 50)) {
    const running = await engine.status();
    const [troubled] = running.pid === pid ? await engine.troubled() : [];
    last = running.pid === pid ? (troubled?.message ?? 'nothing') : 'ended';
    if (last !== 'nothing' && last !== messages.at(-1)) messages.push(last);
  }
  assert.deepEqual(messages, ['its query thread does not respond', 'ended']);
  await unanswered;
  assert.equal((await engine.describe(clusterId))?.state, 'running');
  await things.insertOne({ _id: 2 });
  assert.deepEqual(await things.find().sort({ _id: 1 }).toArray(), [{ _id: 1 }, { _id: 2 }]);
});
