import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { machineClock } from '../../../runtime/clock.ts';
import { silentLog } from '../../../runtime/log.ts';
import { QueryWorkers, WorkerGone } from './query-workers.ts';

/** A pool, and a promise of the end of its first worker. */
function pool(t: TestContext) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const workers = new QueryWorkers(1, { ...silentLog(), error: () => resolve() });
  t.after(() => workers.stop(machineClock()));
  return { workers, ended: promise };
}

const info = { replicaSetName: 'rs', version: '8.0.0', configVersion: 1, term: 1, members: [] };

test('what is asked of a worker that has ended fails, and does not wait for ever', async (t) => {
  const { workers, ended } = pool(t);
  const worker = workers.assign('a');
  const { port1, port2 } = new MessageChannel();
  worker.connect(port2);
  // What no part of the engine would send.
  port1.postMessage({ requests: 0, replies: 0 });
  await ended;
  await assert.rejects(worker.open('a', '/nowhere', info), WorkerGone);
  await assert.rejects(worker.close('a'), WorkerGone);
  assert.notEqual(workers.assign('a'), worker);
});
