import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { start } from 'portolan';

let service;
let client;

before(async () => {
  service = await start();
  client = new MongoClient(await service.createCluster('quay'));
});

after(async () => {
  await client.close();
  await service.close();
});

beforeEach(() => client.db('harbour').dropDatabase());

/** Calls the API with an access token of the service account. */
async function api(path) {
  const { clientId, clientSecret } = service.credentials;
  const answer = await fetch(`${service.url}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = await answer.json();
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.service.2025-03-12+json' };
  return (await fetch(`${service.url}/api/service/v2${path}`, { headers })).json();
}

test('a ship that was written is found', async () => {
  const ships = client.db('harbour').collection('ships');
  await ships.insertOne({ name: 'Anna', sails: 3 });
  assert.equal((await ships.findOne({ sails: { $gte: 2 } })).name, 'Anna');
});

test('the API lists the cluster', async () => {
  const { results } = await api(`/groups/${service.groupId}/clusters`);
  assert.deepEqual(
    results.map(({ name, stateName }) => [name, stateName]),
    [['quay', 'IDLE']],
  );
});
