import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { machineClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import type { RequestsMessage } from '../worker/protocol.ts';
import { admin, CLUSTER_ID, sectionsOf, info as testInfo } from '../worker/testing.ts';
import { QueryThreadGone, QueryThreads } from './query-threads.ts';

/** Returns a pool, and a promise that resolves when its first query thread has ended. */
function pool(t: TestContext) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const threads = new QueryThreads(1, { ...silentLog(), error: () => resolve() });
  t.after(() => threads.stop(machineClock()));
  return { threads, ended: promise };
}

const info = { replicaSetName: 'rs', version: '8.0.0', configVersion: 1, term: 1, members: [] };

test('requests to a thread that has ended fail instead of waiting', async (t) => {
  const { threads, ended } = pool(t);
  const thread = threads.assign('a');
  const { port1, port2 } = new MessageChannel();
  thread.connect(port2);
  // A message that the engine never sends. It makes the thread fail.
  port1.postMessage({ requests: 0, replies: 0 });
  await ended;
  await assert.rejects(thread.open('a', { dir: '/nowhere' }, info), QueryThreadGone);
  await assert.rejects(thread.close('a'), QueryThreadGone);
  assert.notEqual(threads.assign('a'), thread);
});

test('terminates a thread that is stuck in a statement, and fails its requests', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'stuck-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const clock = testClock();
  const { promise: lost, resolve } = Promise.withResolvers<boolean>();
  const threads = new QueryThreads(1, silentLog(), clock);
  t.after(() => threads.stop(machineClock()));
  threads.onLost(({ stuck }) => resolve(stuck));
  const ended: string[] = [];
  threads.onStuck = (clusterId, statement) => void ended.push(`${clusterId}: ${statement}`);
  const thread = threads.assign(CLUSTER_ID);
  await thread.open(CLUSTER_ID, { dir: directory }, testInfo);
  const { port1, port2 } = new MessageChannel();
  thread.connect(port2);
  const closed = once(port1, 'close');
  // A port without a listener emits `close` only if it has never received a message.
  port1.on('message', () => {});
  const ask = (requestId: number, command: object) => {
    const caller = { connectionId: 1, remote: '', member: 'm0', user: admin };
    const request = { requestId, clusterId: CLUSTER_ID, caller, sections: sectionsOf(command) };
    port1.postMessage({ requests: [request] } satisfies RequestsMessage);
  };
  ask(1, { insert: 'c', documents: [{ text: `${'a'.repeat(60)}b` }] });
  await once(port1, 'message');
  // Without an interruption check, this query would take longer than the age of the universe.
  ask(2, { find: 'c', filter: { text: /^(a+)+$/ } });
  for (let stuck = false; !stuck; stuck = thread.stuck) {
    clock.advance(1_000);
    await setImmediate();
  }
  assert.equal(await lost, true);
  // If the thread had not yet begun the statement, there is nothing to report.
  for (const statement of ended)
    assert.match(statement, new RegExp(`^${CLUSTER_ID}: \\w+ on the database \\w+, connection 1$`));
  await closed;
  await assert.rejects(thread.close(CLUSTER_ID), QueryThreadGone);
});

test('does not regard an idle thread as stuck', async (t) => {
  const clock = testClock();
  const threads = new QueryThreads(1, silentLog(), clock);
  t.after(() => threads.stop(machineClock()));
  const thread = threads.assign('a');
  clock.advance(60_000);
  assert.equal(thread.stuck, false);
});
