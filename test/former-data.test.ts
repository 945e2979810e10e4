import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { createZstdDecompress } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { bearer, type Credentials, clientOf, digest } from './support/client.ts';
import { connectDriver } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { connectionTo } from './support/http.ts';
import { commonSettings, scopeOf, startService, temporaryFolder } from './support/service.ts';
import type { ClusterDocument, ListDocument } from './support/stage.ts';

interface SearchIndex {
  readonly name: string;
  readonly status: string;
}

/**
 * Data directories of earlier versions. Each archive in `formats` comes from a stopped service of its day: its first
 * project has a cluster `kept` with three documents, a unique index and a snapshot, and its first key is the one
 * below. The archive of 22 November has no first saved state; later ones have one, and a search index, whose file is
 * omitted.
 */
const formats = join(import.meta.dirname, 'formats');
const OLDEST = '2026-11-22.tar.zst';
const owner = digest({ publicKey: 'abcdefgh', privateKey: '00000000-0000-4000-8000-000000000000' });

for (const archive of await readdir(formats)) {
  test(`the data of ${archive} are migrated completely`, async (t) => {
    const scope = scopeOf(t);
    const folder = join(await temporaryFolder(scope), 'data');
    const packed = createReadStream(join(formats, archive));
    await pipeline(packed, createZstdDecompress(), unpackTar(folder, { fmode: 0o600, dmode: 0o700 }));
    const { bootstrap, authority } = await startService(scope, folder, await commonSettings(scope));
    const connection = connectionTo(bootstrap.url, authority);
    t.after(() => connection.close());
    const calledBy = (by: Credentials) => clientOf(() => [connection], by, { check: () => {} });
    const client = calledBy(owner);
    const cluster = `/groups/${bootstrap.groupId}/clusters/kept`;
    const reply = await until(
      'the cluster, at ports that are free here',
      () => client.get(cluster),
      (one) => {
        const { stateName, connectionStrings } = one.json() as unknown as ClusterDocument;
        return stateName === 'IDLE' && connectionStrings.standard?.includes(':24200') === false;
      },
    );
    const { connectionStrings } = expectStatus<ClusterDocument>(reply, 200);
    const driver = await connectDriver(connectionStrings.standard ?? '', {});
    t.after(() => driver.close());
    const ports = driver.db('sea').collection<{ _id: number; name: string }>('ports');
    const names = ['Riga', 'Visby', 'Turku'];
    const held = names.map((name, _id) => ({ _id, name }));
    assert.deepEqual(await ports.find().sort({ _id: 1 }).toArray(), held);
    await assert.rejects(ports.insertOne({ _id: 9, name: 'Riga' }), { code: 11_000 });
    await ports.insertOne({ _id: 9, name: 'Tallinn' });
    const { results } = expectStatus<ListDocument>(await client.get(`${cluster}/backup/snapshots`), 200);
    // The schedule takes more snapshots at once, because the last one is weeks old.
    assert.deepEqual(
      results
        .filter(({ snapshotType }) => snapshotType === 'onDemand')
        .map(({ description, status }) => [description, status]),
      [['kept', 'completed']],
    );

    const found = await until(
      'the search indexes',
      async () => (await client.get(`${cluster}/search/indexes`)).json() as unknown as SearchIndex[],
      (indexes) => indexes.every(({ status }) => status === 'READY'),
    );
    assert.deepEqual(
      found.map(({ name }) => name),
      archive === OLDEST ? [] : ['words'],
    );

    const operator = calledBy(bearer(bootstrap.operatorToken));
    if (archive === OLDEST)
      expectFault(await operator.post('/operator/v1/reset', undefined), 409, 'NO_FIRST_STATE');
    expectStatus(await operator.post('/operator/v1/states', { name: 'old' }), 201);
    await ports.deleteMany({});
    expectStatus(await operator.post('/operator/v1/states/old/restore', undefined), 204);
    assert.equal(await ports.countDocuments(), 4);
    if (archive === OLDEST) return;
    expectStatus(await operator.post('/operator/v1/reset', undefined), 204);
    expectFault(await client.get(cluster), 404, 'CLUSTER_NOT_FOUND', ['kept', bootstrap.groupId]);
  });
}
