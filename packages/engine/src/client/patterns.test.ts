import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Collection, Document, MongoClient } from 'mongodb';
import { type StartedEngine, startEngine } from './testing/engine.ts';

const LETTERS = 64;

/** Patterns that take practically forever to match by backtracking, or to compile in V8. */
const hostile = [
  `(${'a?'.repeat(LETTERS)})${'a'.repeat(LETTERS)}`,
  '^(a+)+$',
  '(a|aa)+$',
  '(.*)*(.*)*(.*)*x',
  '(a*)*\\1*x',
  '^(?=(a+)+b$)a',
  '(?<=(a+)+)x',
  '((((a{0,50}){0,50}){0,50}){0,50})x',
  '(?:a{1,1000}){1,1000}x',
  `${'(a'.repeat(100)}${')*'.repeat(100)}x`,
  `(${Array.from({ length: 500 }, (_, at) => 'a'.repeat(at % 50)).join('|')})*x`,
  '\\p{L}*\\p{L}*\\p{L}*\\p{L}*\\p{L}*\\p{L}*\\P{L}x',
  `^${'.*a'.repeat(60)}x$`,
];

/** The operators and commands by which a driver can send a pattern. */
const places: Readonly<Record<string, (things: Collection, pattern: string) => Promise<unknown>>> = {
  filter: (things, $regex) => things.find({ text: { $regex } }).toArray(),
  'filter without case': (things, $regex) => things.find({ text: { $regex, $options: 'ims' } }).toArray(),
  'list of patterns': (things, pattern) => things.find({ text: { $in: [new RegExp(pattern)] } }).toArray(),
  'schema of a filter': (things, pattern) =>
    things.find({ $jsonSchema: { properties: { text: { pattern } } } }).toArray(),
  'array filter': (things, $regex) =>
    things.updateOne({}, { $set: { 'list.$[one]': 1 } }, { arrayFilters: [{ one: { $regex } }] }),
  ...Object.fromEntries(
    ['$regexMatch', '$regexFind', '$regexFindAll'].map((name) => [
      name,
      (things: Collection, regex: string) =>
        things.aggregate([{ $project: { found: { [name]: { input: '$text', regex } } } }]).toArray(),
    ]),
  ),
  validator: async (things, $regex) => {
    const command = { collMod: things.collectionName, validator: { text: { $regex } } };
    await database.command(command);
    await things
      .replaceOne({}, { text: TEXT, list: [TEXT] })
      .finally(() => database.command({ ...command, validator: {} }));
  },
  'names of collections': (_, $regex) => database.listCollections({ name: { $regex } }).toArray(),
  'list of operations': (_, $regex) =>
    client.db('admin').command({ currentOp: 1, 'command.filter': { $regex } }),
};

const TEXT = `${'a'.repeat(300)}b`;

let started: StartedEngine;
let client: MongoClient;
let database: ReturnType<MongoClient['db']>;
before(async () => {
  started = await startEngine('patterns');
  client = started.connect();
  database = client.db('shop');
});
after(() => started.stop());

test('no pattern of a driver ends or stops a query thread', async () => {
  const closed: string[] = [];
  client.on('connectionClosed', ({ reason }) => closed.push(reason));
  const things = database.collection<Document>('a'.repeat(100));
  await things.insertOne({ text: TEXT, list: [TEXT] });
  const { pid } = await started.engine.status();
  for (const [place, send] of Object.entries(places))
    for (const pattern of hostile) {
      const answer = await send(things, pattern).then(
        () => 'done',
        (error: { code?: number }) => error.code,
      );
      // Matches the errors for a pattern that takes too many steps, is invalid or too long, or exceeds its time limit.
      // A reply with one of these errors counts as correct.
      const isAnswered =
        answer === 'done' || [50, 2, 51091, 51111, 51156, 121, 13548].includes(Number(answer));
      assert.ok(isAnswered, `${place}, ${pattern.slice(0, 40)}: ${answer}`);
    }
  assert.deepEqual(closed, []);
  assert.equal((await started.engine.status()).pid, pid);
});
