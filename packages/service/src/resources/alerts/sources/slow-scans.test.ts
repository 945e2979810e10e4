import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missedIndex, remember, type Scan, scanIn } from './slow-scans.ts';

const line = (attr: object) =>
  JSON.stringify({
    t: { $date: '2025-03-12T12:00:00.000Z' },
    ...{ s: 'I', c: 'COMMAND', id: 51803, msg: 'Slow query' },
    attr: { ns: 'harbour.ships', planSummary: 'COLLSCAN', docsExamined: 5000, nreturned: 2, ...attr },
  });
const time = Date.UTC(2025, 2, 12, 12);

test('a slow collection scan that returns few documents suggests an index', () => {
  const found = { namespace: 'harbour.ships', fields: ['name'], time };
  assert.deepEqual(scanIn(line({ command: { find: 'ships', filter: { name: 'Vega' } } })), found);
  const pipeline = [{ $match: { name: 'Vega' } }];
  assert.deepEqual(scanIn(line({ command: { aggregate: 'ships', pipeline } })), found);
  const updates = [{ q: { name: 'Vega' }, u: {} }];
  assert.deepEqual(scanIn(line({ command: { update: 'ships', updates }, nreturned: undefined })), found);
  const originatingCommand = { find: 'ships', filter: { name: 'Vega' } };
  assert.deepEqual(scanIn(line({ command: { getMore: 1 }, originatingCommand })), found);
});

test('a scan that examines few documents, or returns most of them, does not', () => {
  const command = { find: 'ships', filter: { name: 'Vega' } };
  assert.equal(scanIn(line({ command, docsExamined: 900 })), undefined);
  assert.equal(scanIn(line({ command, nreturned: 4000 })), undefined);
  assert.equal(scanIn(line({ command: { find: 'ships', filter: {} } })), undefined);
  assert.equal(scanIn(line({ command, planSummary: 'IXSCAN { name: 1 }' })), undefined);
  assert.equal(scanIn(''), undefined);
});

test('an index that starts with one of the fields ends the suggestion, as does dropping the collection', () => {
  const scan = { namespace: 'harbour.ships', fields: ['name', 'port'], time };
  const reply = (...keys: object[]) => ({ ok: 1, cursor: { firstBatch: keys.map((key) => ({ key })) } });
  assert.equal(missedIndex(scan, reply({ _id: 1 })), true);
  assert.equal(missedIndex(scan, reply({ _id: 1 }, { length: 1, name: 1 })), true);
  assert.equal(missedIndex(scan, reply({ _id: 1 }, { port: 1 })), false);
  assert.equal(missedIndex(scan, { ok: 0, code: 26 }), false);
});

test('the newest 200 scans of a cluster are remembered, and none with long names', () => {
  const scans = new Map<string, Scan>();
  const scan = (field: string): Scan => ({ namespace: 'harbour.ships', fields: [field], time });
  for (let i = 0; i < 300; i++) {
    remember(scans, scan('first'));
    remember(scans, scan(`f${i}`));
    remember(scans, scan('x'.repeat(5000)));
  }
  assert.equal(scans.size, 200);
  assert.deepEqual([...scans.values()].at(-1), scan('f299'));
  assert.ok(scans.has('harbour.ships first') && !scans.has('harbour.ships f0'));
});
