import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLocal, toLocal, type Zone, zoneOf } from './zone.ts';

const ms = (text: string) => BigInt(Date.parse(text));

function named(name: string): Zone {
  const zone = zoneOf(name);
  assert.ok(zone, name);
  return zone;
}

test('accepts the zone names of the server', () => {
  for (const name of ['UTC', 'GMT', 'Europe/Berlin', 'Etc/GMT+5', '+05', '-0330', '+05:30']) named(name);
  for (const name of ['', 'europe/berlin', 'Nowhere/At_All', '+5:3', 'x', 'Z'])
    assert.equal(zoneOf(name), undefined, name);
});

test('shifts a skipped local time forward and resolves a repeated one to the first', () => {
  const zone = named('America/New_York');
  assert.equal(fromLocal(ms('2024-03-10T02:30:00Z'), zone), ms('2024-03-10T07:30:00Z'));
  assert.equal(fromLocal(ms('2024-11-03T01:30:00Z'), zone), ms('2024-11-03T05:30:00Z'));
  assert.equal(toLocal(ms('2024-07-01T12:00:00Z'), zone), ms('2024-07-01T08:00:00Z'));
});
