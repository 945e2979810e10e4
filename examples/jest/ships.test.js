const { MongoClient } = require('mongodb');
// Once: require('mongodb-memory-server')
const { MongoMemoryServer } = require('portolan/memory-server');

let server;
let client;

beforeAll(async () => {
  server = await MongoMemoryServer.create();
  client = new MongoClient(server.getUri());
});

afterAll(async () => {
  await client.close();
  await server.stop();
});

beforeEach(() => client.db('harbour').dropDatabase());

test('a ship that was written is found', async () => {
  const ships = client.db('harbour').collection('ships');
  await ships.insertOne({ name: 'Anna', sails: 3 });
  expect(await ships.findOne({ sails: { $gte: 2 } })).toMatchObject({ name: 'Anna' });
});
