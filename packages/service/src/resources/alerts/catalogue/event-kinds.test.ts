import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadFamilies } from '../../load.ts';
import { alertableEvents, type EventKind, eventKinds } from './event-kinds.ts';
import { metrics } from './metrics.ts';
import { factorOf } from './units.ts';

test('exactly one family declares each event type that configurations can use', async () => {
  const declared = (await loadFamilies()).flatMap(({ eventTypes = {} }) => Object.keys(eventTypes));
  const twice = declared.filter((name, place) => declared.indexOf(name) !== place);
  assert.deepEqual(twice, []);
  assert.deepEqual(
    alertableEvents.filter((name) => !declared.includes(name)),
    [],
  );
});

test('an event type belongs to one kind', () => {
  const names = Object.values<EventKind>(eventKinds).flatMap(({ events }) => events);
  assert.equal(new Set(names).size, names.length);
  assert.equal(names.length, 125);
});

test('expands abbreviated metric names', () => {
  const names = [...metrics.host.keys()];
  assert.equal(new Set(names).size, names.length);
  for (const name of ['MAX_DISK_PARTITION_READ_IOPS_JOURNAL', 'ASSERT_MSG', 'TICKETS_AVAILABLE_WRITES'])
    assert.equal(metrics.host.get(name), 'raw');
  assert.equal(metrics.host.get('MAX_SWAP_USAGE_FREE'), 'data');
  assert.ok(names.every((name) => /^[A-Z][A-Z_]+$/.test(name)));
  assert.equal(metrics.flex.get('FLEX_OPCOUNTER_TOTAL'), 'raw');
  assert.equal(metrics.serverless.get('SERVERLESS_TOTAL_WRITE_UNITS'), 'writeUnits');
});

test('units of one set are comparable', () => {
  assert.equal(factorOf('time', 'HOURS'), 3_600_000);
  assert.equal(factorOf('data', 'MEGABYTES'), 1024 ** 2);
  assert.equal(factorOf('data', 'KILOBITS'), 125);
  assert.equal(factorOf('raw', 'HOURS'), undefined);
});
