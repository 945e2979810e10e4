import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { EventHub } from '../../events/index.ts';
import { openClusters } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { MAX_STREAMS, streamEvents } from './stream.ts';

onEachDatabase('an organization has a largest number of streams', async (t, database) => {
  const { store } = await openClusters(t, database);
  const machine = testClock(Date.UTC(2026, 0, 1));
  const eventHub = new EventHub({ store, machine, log: silentLog() });
  t.after(() => eventHub.close());
  const services = { store, machine, eventHub } as unknown as Services;
  const open = (orgId: string) =>
    streamEvents(services, { orgId, owner: { orgId }, lastEventId: undefined, session: undefined });
  const streams: Readable[] = [];
  for (let count = 0; count < MAX_STREAMS; count++) streams.push(await open('one'));
  await assert.rejects(open('one'), { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '60' } });
  streams.push(await open('other'));
  const [first] = streams.splice(0, 1);
  first?.destroy();
  await new Promise((resolve) => first?.once('close', resolve));
  streams.push(await open('one'));
  for (const stream of streams) stream.destroy();
});

onEachDatabase('streams that begin together end at different times', async (t, database) => {
  const { store } = await openClusters(t, database);
  const machine = testClock(Date.UTC(2026, 0, 1));
  const eventHub = new EventHub({ store, machine, log: silentLog() });
  t.after(() => eventHub.close());
  const services = { store, machine, eventHub } as unknown as Services;
  const reader = { orgId: 'one', owner: { orgId: 'one' }, lastEventId: undefined, session: undefined };
  let [ended, beats] = [0, 0];
  for (let count = 0; count < 100; count++) {
    const stream = await streamEvents(services, reader);
    stream.on('data', (bytes) => {
      if (String(bytes).startsWith(':')) beats++;
    });
    stream.once('end', () => ended++);
  }
  const inOneSecond = async () => {
    const before = { ended, beats };
    machine.advance(1_000);
    await setImmediate();
    return { ended: ended - before.ended, beats: beats - before.beats };
  };
  const seconds = [];
  for (let second = 0; second < 60; second++) seconds.push(await inOneSecond());
  assert.equal(ended, 100);
  assert.ok(Math.max(...seconds.map((each) => each.ended)) <= 10);
  // A beat is also the last frame of a stream.
  assert.ok(Math.max(...seconds.map((each) => each.beats)) <= 25);
});
