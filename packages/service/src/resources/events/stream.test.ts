import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
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
