import { MongoClient } from 'mongodb';
import { type Engine, startEngine } from 'portolan/engine';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let engine: Engine;
let client: MongoClient;

beforeAll(async () => {
  engine = await startEngine();
  client = new MongoClient(engine.uri);
});

afterAll(async () => {
  await client.close();
  await engine.close();
});

beforeEach(() => client.db('harbour').dropDatabase());

test('a ship that was written is found', async () => {
  const ships = client.db('harbour').collection('ships');
  await ships.insertOne({ name: 'Anna', sails: 3 });
  expect(await ships.findOne({ sails: { $gte: 2 } })).toMatchObject({ name: 'Anna' });
});

test('a transaction that is aborted leaves nothing', async () => {
  const ships = client.db('harbour').collection('ships');
  await client.withSession(async (session) => {
    session.startTransaction();
    await ships.insertOne({ name: 'Anna' }, { session });
    await session.abortTransaction();
  });
  expect(await ships.countDocuments()).toBe(0);
});
