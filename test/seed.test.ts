import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { clientOf, digest } from './support/client.ts';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { expectStatus } from './support/expect.ts';
import { connectionTo } from './support/http.ts';
import { commonSettings, runCommand, scopeOf, startService, temporaryFolder } from './support/service.ts';
import type { ListDocument } from './support/stage.ts';

const person = (name: string, role: string) =>
  `{ username: ${name}@example.org, password: a compass and a chart, firstName: ${name}, lastName: Ahoy, country: SE, mobileNumber: '555 0100', roles: [${role}] }`;

const SEED = `
users:
  - ${person('ada', 'ORG_OWNER')}
  - ${person('bo', 'ORG_MEMBER')}
teams:
  - { name: Crew, usernames: [bo@example.org] }
apiKeys:
  - { desc: reader, roles: [ORG_READ_ONLY] }
organizations:
  - name: Other shore
    users: [${person('cy', 'ORG_OWNER')}]
    apiKeys: [{ desc: owner, roles: [ORG_OWNER] }]
    projects: [{ name: Lighthouse, users: [{ username: cy@example.org, roles: [GROUP_OWNER] }] }]
projects:
  - name: Harbour
    users: [{ username: ada@example.org, roles: [GROUP_READ_ONLY] }]
    teams: [{ name: Crew, roleNames: [GROUP_OWNER] }]
    accessList: [{ ipAddress: 127.0.0.1 }]
    databaseUsers:
      - username: sailor
        password: a compass and a chart
        roles: [{ roleName: readWriteAnyDatabase, databaseName: admin }]
    clusters:
      - name: quay
        data:
          - database: harbour
            collection: ships
            documents: [{ _id: 1, name: Anna, built: { $date: '1987-05-04T00:00:00Z' } }, { name: Bella }]
            file: more.jsonl
`;

interface Call {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface SeedKey {
  readonly orgId: string;
  readonly desc: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Returns the names in each organization, as its own members can read them. */
async function peopleIn(folder: string, { url, orgId, ...first }: Call & { readonly orgId: string }) {
  const names = async (path: string, field: string) =>
    (await read({ url, ...first }, path)).results.map((one) => one[field]);
  const keys = JSON.parse(readFileSync(join(folder, 'seed-keys.json'), 'utf8')) as SeedKey[];
  const other = keys.find(({ desc }) => desc === 'owner');
  assert.ok(other);
  const connection = connectionTo(url, undefined);
  const shore = clientOf(() => [connection], digest(other), { check: () => {} });
  const seen = async (path: string) => expectStatus<ListDocument>(await shore.get(path), 200).results;
  const harbour = `/groups/${(await read({ url, ...first }, '/groups/byName/Harbour')).id}`;
  const [lighthouse] = await seen('/groups');
  try {
    return {
      keys: keys.map(({ desc }) => desc),
      users: await names(`/orgs/${orgId}/users`, 'username'),
      teams: await names(`/orgs/${orgId}/teams`, 'name'),
      here: await names('/groups', 'name'),
      harbour: [await names(`${harbour}/users`, 'roles'), await names(`${harbour}/teams`, 'roleNames')],
      shore: (await seen(`/orgs/${other.orgId}/users`)).map(({ username }) => username),
      lighthouse: [
        lighthouse?.name,
        (await seen(`/groups/${lighthouse?.id}/users`)).map(({ username }) => username),
      ],
    };
  } finally {
    await connection.close();
  }
}

/** Reads a path over plain HTTP as a service account. */
async function read({ url, clientId, clientSecret }: Call, path: string) {
  const answer = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const found = await fetch(`${url}/api/service/v2${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await found.json()) as Record<string, never> & {
    readonly results: readonly Record<string, unknown>[];
  };
}

suite('a seed file', () => {
  test('creates missing resources at every start and keeps existing ones', async (t) => {
    const scope = scopeOf(t);
    const folder = await temporaryFolder(scope);
    const seed = join(folder, 'harbour.yaml');
    writeFileSync(seed, SEED);
    writeFileSync(join(folder, 'more.jsonl'), '{"_id": 3, "name": "Clara"}\n{"_id": 4, "name": "Dora"}\n');
    const settings = { ...(await commonSettings(scope)), 'plain-http': true, seed };
    const data = join(folder, 'data');
    const names: unknown[] = [];
    const people: unknown[] = [];
    for (const change of [{ $set: { name: 'Anna II' } }, { $set: { sails: 3 } }]) {
      const service = await startService(scope, data, settings);
      people.push(await peopleIn(data, service.bootstrap));
      const { id } = await read(service.bootstrap, '/groups/byName/Harbour');
      const cluster = await read(service.bootstrap, `/groups/${id}/clusters/quay`);
      const { standard } = cluster.connectionStrings as unknown as { standard: string };
      const auth = { username: 'sailor', password: 'a compass and a chart' };
      const client = new MongoClient(standard, { auth, ...LONG_TIMEOUTS });
      const ships = client.db('harbour').collection<{ _id: unknown; name: string; built?: Date }>('ships');
      const found = await ships.find().sort({ name: 1 }).toArray();
      names.push(found.map(({ name }) => name));
      assert.deepEqual(found[0]?.built, new Date('1987-05-04T00:00:00Z'));
      await ships.updateOne({ name: { $regex: '^Anna' } }, change);
      await client.close();
      await service.stop();
    }
    const once = {
      keys: ['reader', 'owner'],
      users: ['ada@example.org', 'bo@example.org'],
      teams: ['Crew'],
      here: ['First project', 'Harbour'],
      harbour: [[['GROUP_READ_ONLY']], [['GROUP_OWNER']]],
      shore: ['cy@example.org'],
      lighthouse: ['Lighthouse', ['cy@example.org']],
    };
    assert.deepEqual(people, [once, once]);
    assert.deepEqual(names, [
      ['Anna', 'Bella', 'Clara', 'Dora'],
      ['Anna II', 'Bella', 'Clara', 'Dora'],
    ]);
  });

  test('is rejected with the position of the error', async (t) => {
    const scope = scopeOf(t);
    const folder = await temporaryFolder(scope);
    const seed = join(folder, 'seed.json');
    const settings = { ...(await commonSettings(scope)), 'data-dir': join(folder, 'data'), seed };
    for (const [content, sentence] of [
      [{ projects: [{ name: 'Harbour', clusters: [{}] }] }, /projects\[0\]\.clusters\[0\] .*name/],
      [{ projects: [{ name: 'Harbour', clusters: [{ name: 'a b' }] }] }, /projects\[0\]\.clusters\[0\]: /],
      [{ teams: [{ name: 'Crew', usernames: ['no@example.org'] }] }, /: teams\[0\]: .*no@example\.org/],
      [
        {
          organizations: [
            { name: 'Shore', projects: [{ name: 'Pier', teams: [{ name: 'Crew', roleNames: [] }] }] },
          ],
        },
        /: organizations\[0\]\.projects\[0\]\.teams\[0\]: TEAM_NAME_NOT_FOUND/,
      ],
      ['{ "users": [],\n  "users": [] }', /seed\.json: Map keys must be unique at line 2, column 3/],
    ] as const) {
      writeFileSync(seed, typeof content === 'string' ? content : JSON.stringify(content));
      const { code, err } = await runCommand('start', settings);
      assert.equal(code, 1, err);
      assert.match(err, sentence);
    }
  });
});
