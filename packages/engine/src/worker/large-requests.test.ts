import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Document } from 'bson';
import { parseSections } from '../message/documents.ts';
import { type Sent, sectionsOf, TestCluster } from './testing.ts';

let cluster: TestCluster;
/** Requests that arrive while a request is being parsed. */
let arriving: Array<() => void>;
let looks: number;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [{ _id: 1 }] });
  arriving = [];
  looks = 0;
  cluster.clock.monotonic = () => looks++;
  cluster.worker.ports = { receive: () => arriving.shift()?.(), send: () => {} };
});
afterEach(() => cluster.remove());

/** Returns a command with many nested fields that is rejected when it has been parsed, because it is unknown. */
function unknown(fields: number): Document {
  return { unknown: 1, nested: Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, i])) };
}

test('other requests run while a large request is parsed, but not later ones of its connection', () => {
  const order: string[] = [];
  const other: Sent = {};
  const later: Sent = {};
  const note = () => {
    if (other.reply && !order.includes('other')) order.push('other');
    if (later.reply && !order.includes('later')) order.push('later');
    if (large.reply && !order.includes('large')) order.push('large');
  };
  arriving.push(
    () => cluster.send({ ping: 1 }, { connectionId: 7 }, later),
    () => cluster.send({ find: 'c' }, { connectionId: 8 }, other),
    ...Array.from({ length: 20 }, () => note),
  );
  const large = cluster.send(unknown(100_000), { connectionId: 7 });
  cluster.worker.runTurn();
  note();
  assert.deepEqual(order.slice(0, 1), ['other']);
  assert.deepEqual([large.reply?.code, later.reply?.ok, other.reply?.ok], [59, 1, 1]);
});

test('a large request whose parsing is postponed is not overtaken by later requests of its connection', () => {
  const later: Sent = {};
  const documents = Array.from({ length: 12_000 }, (_, _id) => ({ _id: _id + 2 }));
  const silent = { connectionId: 7, moreToCome: true };
  let starts = 0;
  arriving.push(...Array.from({ length: 5 }, () => () => {}), () => {
    cluster.send({ insert: 'c', documents }, silent);
    cluster.send({ delete: 'c', deletes: [{ q: {}, limit: 0 }] }, silent, later);
    starts = looks;
  });
  const outer = cluster.send(unknown(100_000), { connectionId: 8 });
  cluster.worker.runTurn();
  assert.ok(starts > 0, 'the requests have arrived while another one is parsed');
  assert.deepEqual([outer.reply?.code, later.reply?.n], [59, 12_001]);
});

test('a large request ends while it is parsed if its connection closes', () => {
  arriving.push(() => cluster.worker.disconnected(new Set([7])));
  const insert = { insert: 'c', documents: Array.from({ length: 20_000 }, (_, _id) => ({ _id: _id + 2 })) };
  const large = cluster.send(insert, { connectionId: 7 });
  cluster.worker.runTurn();
  assert.equal(large.reply?.code, 279);
  assert.equal(cluster.run({ count: 'c' }).n, 1);
});

test('a command with too many fields is rejected before they are read', () => {
  const fields = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`f${i}`, i]));
  assert.equal(cluster.run({ find: 'c', ...fields }).codeName, 'FailedToParse');
  assert.ok(looks < 60, `${looks}`);
  assert.throws(() => parseSections(sectionsOf({ ping: 1, ...fields })), /at most 10000 fields/);
});
