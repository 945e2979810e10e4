import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { LogName } from '../interface/engine.ts';
import { idleSample } from '../interface/testing.ts';
import { Journal } from './journal.ts';
import { newestWritten, records } from './records.ts';

const directory = mkdtempSync(join(tmpdir(), 'journal-'));
after(() => rmSync(directory, { recursive: true }));
let folders = 0;
const folder = () => join(directory, String(++folders));

const DAY = 86_400_000;
const NOW = 100 * DAY;
const members = [
  { id: 'm0', host: '127.0.0.1', port: 27100 },
  { id: 'm1', host: '127.0.0.1', port: 27101 },
];

const recordsOf = ({ folder: of }: Journal) => ({ folder: of, now: NOW });

function logsOf(journal: Journal, member: string, log: LogName, from: number, to: number): string {
  return [...records.logs(recordsOf(journal), member, log, from, to)].join('');
}

function newJournal(at = folder()): Journal {
  const journal = new Journal(at);
  journal.configure(0, members, undefined);
  return journal;
}

const login = (username: string, more: object = {}) => ({
  member: 'm0',
  connectionId: 7,
  remote: '192.0.2.1:50000',
  username,
  database: 'admin',
  mechanism: 'SCRAM-SHA-256',
  ...more,
});

/** Parses the lines of a list. */
const itemsOf = (lines: Iterable<string>) => Array.from(lines, (line) => JSON.parse(line));

test('the access history is newest first, covers seven days, and follows the query', () => {
  const at = folder();
  const journal = newJournal(at);
  journal.take({ kind: 'login', time: NOW - 8 * DAY, login: login('old') });
  journal.take({ kind: 'login', time: NOW - DAY, login: login('ada') });
  journal.take({
    kind: 'login',
    time: NOW,
    login: login('eve', { failure: 'no', member: 'm1', remote: '::1:6' }),
  });
  const names = (query: object) =>
    itemsOf(records.accessHistory(recordsOf(newJournal(at)), query)).map(({ username }) => username);
  assert.deepEqual(names({}), ['eve', 'ada']);
  assert.deepEqual(names({ success: true }), ['ada']);
  assert.deepEqual(names({ memberId: 'm1' }), ['eve']);
  assert.deepEqual(names({ address: '::1' }), ['eve']);
  assert.deepEqual(names({ from: NOW - 2 * DAY, to: NOW - 1 }), ['ada']);
  assert.deepEqual(names({ limit: 1 }), ['eve']);
});

test('long texts of a login are truncated, so that failed logins do not replace all others', () => {
  const at = folder();
  const journal = newJournal(at);
  const long = 'x'.repeat(60_000);
  const texts = { database: long, mechanism: long, failure: `MechanismUnavailable: ${long}` };
  journal.take({ kind: 'login', time: NOW, login: login(long, texts) });
  const [attempt] = itemsOf(records.accessHistory(recordsOf(newJournal(at)), {}));
  assert.ok(attempt);
  const { username, authSource, mechanism, failureReason, logLine } = attempt;
  for (const text of [username, authSource, mechanism, failureReason ?? '']) assert.equal(text.length, 1024);
  assert.ok(logLine.length < 10_000, `${logLine.length} characters`);
});

test('logs are read by time and member', () => {
  const journal = newJournal();
  const event = { s: 'I', c: 'CONTROL', id: 1, ctx: 'main', msg: 'hello' } as const;
  journal.logAll(NOW, event);
  journal.log(NOW + 1000, { ...event, member: 'm1', msg: 'again' });
  const linesBetween = (member: string, from: number, to: number) =>
    logsOf(journal, member, 'db', from, to)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).msg);
  assert.deepEqual(linesBetween('m0', 0, NOW + DAY), ['hello']);
  assert.deepEqual(linesBetween('m1', 0, NOW + DAY), ['hello', 'again']);
  assert.deepEqual(linesBetween('m1', NOW + 1, NOW + 1000), ['again']);
  assert.equal(logsOf(journal, 'm0', 'db-audit-log', 0, NOW + DAY), '');
});

function sharedBy(time: number) {
  const { taken, memory, machine, disk } = idleSample(time, { disk: { used: 3, free: 4, total: 5 } });
  return { time, taken, memory, machine, disk };
}

test('samples report the work of each member separately', () => {
  const journal = newJournal();
  const traffic = {
    current: 2,
    most: 9,
    totalCreated: 5,
    rejected: 0,
    active: 0,
    bytesIn: 10,
    bytesOut: 20,
    requests: 3,
  };
  journal.take({ kind: 'traffic', traffic: { m0: traffic } });
  const none = { ops: 0, micros: 0 };
  const work = {
    operations: { insert: 4, query: 0, update: 0, delete: 0, getmore: 0, command: 1 },
    documents: { returned: 0, inserted: 4, updated: 0, deleted: 0 },
    examined: { keys: 0, documents: 0 },
    latency: { reads: none, writes: { ops: 1, micros: 90 }, commands: none },
    processor: { user: 50, kernel: 10 },
    asserts: { regular: 0, user: 1 },
    interrupted: 0,
    queued: { readers: 1, writers: 0 },
  };
  const sizes = { data: 50, storage: 8192, index: 8192, objects: 4, collections: 1, indexes: 1, views: 0 };
  const whole = {
    ...{ oplog: { bytes: 100, window: 60 }, cursors: { open: 1, timedOut: 0 }, expired: 2, sizes },
  };
  const searches = { words: { succeeded: 3, failed: 1, getMores: 2 } };
  const searchIndexes = {
    words: { bytes: 900, documents: 3, fields: 4 },
    others: { bytes: 0, documents: 0, fields: 0 },
  };
  journal.take({
    kind: 'work',
    work: { m0: { ...work, searches } },
    whole: { ...whole, searchIndexes },
    databases: { harbour: sizes },
  });
  assert.deepEqual(journal.databases, { harbour: sizes });
  const shared = sharedBy(NOW);
  const followed = { words: { inserts: 5, updates: 6, deletes: 7, lag: 1 } };
  const memory = { resident: 4, virtual: 3, heap: 2, most: 9 };
  const search = { nodes: 2, processor: { user: 8, kernel: 9 }, memory, disk: 1000 };
  journal.sample(shared, { ...search, followed });
  journal.sample({ ...shared, time: NOW + 10_000 });
  const [first, ...rest] = itemsOf(records.metrics(recordsOf(journal), 'm0', NOW, NOW));
  assert.deepEqual(rest, []);
  assert.deepEqual(first, {
    ...shared,
    ...work,
    ...whole,
    connections: { current: 2, totalCreated: 5 },
    network: { bytesIn: 10, bytesOut: 20, requests: 3 },
    search: {
      ...search,
      indexes: {
        words: { ...followed.words, ...searches.words, ...searchIndexes.words },
        others: {
          ...{ inserts: 0, updates: 0, deletes: 0, lag: 0, succeeded: 0, failed: 0, getMores: 0 },
          ...searchIndexes.others,
        },
      },
    },
  });
  const others = itemsOf(records.metrics(recordsOf(journal), 'm1', 0, NOW + DAY));
  assert.equal(others[1].operations.insert, 0);
});

test('nothing is written for a deployment under removal', () => {
  const at = folder();
  const journal = newJournal(at);
  journal.close();
  journal.take({ kind: 'login', time: NOW, login: login('ada') });
  assert.throws(() => readdirSync(at), { code: 'ENOENT' });
});

test('a rotation request discards no line', () => {
  const journal = newJournal();
  const event = { member: 'm0', s: 'I', c: 'CONTROL', id: 1, ctx: 'main', msg: 'trace' } as const;
  journal.log(NOW, event);
  for (let i = 0; i < 10; i++) journal.take({ kind: 'rotate', time: NOW, member: 'm0', log: 'server' });
  assert.match(logsOf(journal, 'm0', 'db', 0, NOW), /trace/);
});

test('the newest samples of each member are in memory, and are read from files after a restart', () => {
  const journal = newJournal();
  const times = (samples: readonly { time: number }[] = []) => samples.map(({ time }) => time);
  assert.deepEqual(newestWritten(recordsOf(journal)), []);
  const taken = Array.from({ length: 10 }, (_, place) => NOW + 10 * place);
  for (const time of taken) journal.sample(sharedBy(time));
  assert.deepEqual(times(journal.newest().get('m1')), taken.slice(2));
  const written = newestWritten(recordsOf(journal));
  assert.deepEqual(
    written.map(({ memberId, samples }) => [memberId, times(samples)]),
    ['m0', 'm1'].map((id) => [id, taken.slice(2)]),
  );
  journal.configure(0, members.slice(0, 1), undefined);
  assert.deepEqual([...journal.newest().keys()], ['m0']);
});

test('a stored filter that is now invalid records everything, which the log reports', async () => {
  const journal = newJournal();
  const filter = '{"$expr": {"$gt": [{"$size": {"$range": [0, {"$strLenCP": "$atype"}]}}, 500]}}';
  journal.configure(NOW - 5, members, { enabled: true, filter, authorizationSuccess: false });
  journal.audit(NOW - 4, { member: 'm0', atype: 'startup', param: {} });
  // The first filter loads the query language, so the messages are not written at once.
  const audited = () => logsOf(journal, 'm0', 'db-audit-log', 0, NOW);
  while (audited() === '') await new Promise(setImmediate);
  assert.match(audited(), /"atype":"startup"/);
  const line = logsOf(journal, 'm1', 'db', 0, NOW);
  assert.match(line, /"s":"W".*Audit filter cannot be used.*audit filters cannot use \$expr/);
});
