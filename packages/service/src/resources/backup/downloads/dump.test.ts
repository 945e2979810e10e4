import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SnapshotCollection, SnapshotContents } from '@portolan/engine/management';
import { serialize } from 'bson';
import { dumpOf } from './dump.ts';

const member = { shard: '', first: true, configServers: false };

function collectionOf(database: string, name: string): SnapshotCollection {
  const metadata = { options: {}, indexes: [], uuid: '00', collectionName: name, type: 'collection' };
  return { database, name, type: 'collection', metadata: serialize(metadata) };
}

/** Returns the contents of a snapshot. Each collection holds one empty document. */
function contentsOf(collections: readonly SnapshotCollection[]): SnapshotContents {
  const bytes = serialize({});
  return {
    collections,
    digests: [],
    shares: async () => [{ shard: '', documents: 1, bytes: bytes.length }],
    async *documents() {
      yield { bytes, documents: 1 };
    },
    async *lines() {},
    async [Symbol.asyncDispose]() {},
  };
}

test('folders have the names of databases, and files the escaped names of collections', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-dump-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const long = 'häfen+'.repeat(20);
  const hash = createHash('sha1').update(long).digest('base64url');
  const files: Readonly<Record<string, string>> = {
    'a b+c': 'a%20b%2Bc',
    'a/b%#?': 'a%2Fb%25%23%3F',
    'a:b@c&d=e,f;g': 'a%3Ab%40c%26d%3De%2Cf%3Bg',
    "it's(!)*": 'it%27s%28%21%29%2A',
    'plain-1_2.3~4': 'plain-1_2.3~4',
    städte: 'st%C3%A4dte',
    [long]: `${encodeURIComponent(long).slice(0, 208)}%24${hash}`,
  };
  const databases = ['#1', 'a+b', 'a%41', 'a:b', "it's(!)*", 'städte', '港'.repeat(21)];
  const collections = databases.flatMap((one) => Object.keys(files).map((name) => collectionOf(one, name)));
  const input = Buffer.concat(await dumpOf(contentsOf(collections), member, new Date(0)).toArray());
  const { status, stderr } = spawnSync('tar', ['xf', '-'], { cwd: folder, input });
  assert.equal(status, 0, String(stderr));
  assert.deepEqual(readdirSync(join(folder, 'dump')).sort(), databases.toSorted());
  for (const database of databases) {
    const own = join(folder, 'dump', database);
    const expected = Object.values(files).flatMap((name) => [`${name}.bson`, `${name}.metadata.json`]);
    assert.deepEqual(readdirSync(own).sort(), expected.sort());
    for (const [name, file] of Object.entries(files)) {
      const { collectionName } = JSON.parse(readFileSync(join(own, `${file}.metadata.json`), 'utf8'));
      assert.equal(collectionName, name);
    }
  }
});
