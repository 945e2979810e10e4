import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { commonSettings, runCommand, scopeOf, startService, temporaryFolder } from './support/service.ts';

const SEED = `
projects:
  - name: Harbour
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

/** What a service account reads over plain HTTP. */
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
  return (await found.json()) as Record<string, never>;
}

suite('a seed file', () => {
  test('makes what is missing, at every start, and keeps what is there', async (t) => {
    const scope = scopeOf(t);
    const folder = await temporaryFolder(scope);
    const seed = join(folder, 'harbour.yaml');
    writeFileSync(seed, SEED);
    writeFileSync(join(folder, 'more.jsonl'), '{"_id": 3, "name": "Clara"}\n{"_id": 4, "name": "Dora"}\n');
    const settings = { ...(await commonSettings(scope)), 'plain-http': true, seed };
    const data = join(folder, 'data');
    const names: unknown[] = [];
    for (const change of [{ $set: { name: 'Anna II' } }, { $set: { sails: 3 } }]) {
      const service = await startService(scope, data, settings);
      const { id } = await read(service.bootstrap, '/groups/byName/Harbour');
      const cluster = await read(service.bootstrap, `/groups/${id}/clusters/quay`);
      const { standard } = cluster.connectionStrings as unknown as { standard: string };
      const auth = { username: 'sailor', password: 'a compass and a chart' };
      const client = new MongoClient(standard, { auth });
      const ships = client.db('harbour').collection<{ _id: unknown; name: string; built?: Date }>('ships');
      const found = await ships.find().sort({ name: 1 }).toArray();
      names.push(found.map(({ name }) => name));
      assert.deepEqual(found[0]?.built, new Date('1987-05-04T00:00:00Z'));
      await ships.updateOne({ name: { $regex: '^Anna' } }, change);
      await client.close();
      await service.stop();
    }
    assert.deepEqual(names, [
      ['Anna', 'Bella', 'Clara', 'Dora'],
      ['Anna II', 'Bella', 'Clara', 'Dora'],
    ]);
  });

  test('is refused with the place of its mistake', async (t) => {
    const scope = scopeOf(t);
    const folder = await temporaryFolder(scope);
    const seed = join(folder, 'seed.json');
    const settings = { ...(await commonSettings(scope)), 'data-dir': join(folder, 'data'), seed };
    for (const [content, sentence] of [
      [{ projects: [{ name: 'Harbour', clusters: [{}] }] }, /projects\[0\]\.clusters\[0\] .*name/],
      [{ projects: [{ name: 'Harbour', clusters: [{ name: 'a b' }] }] }, /projects\[0\]\.clusters\[0\]: /],
    ] as const) {
      writeFileSync(seed, JSON.stringify(content));
      const { code, err } = await runCommand('start', settings);
      assert.equal(code, 1, err);
      assert.match(err, sentence);
    }
  });
});
