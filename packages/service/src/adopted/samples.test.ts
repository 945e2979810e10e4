import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOf } from '@portolan/test-support/service';
import { replicaSet, standInServer } from '@portolan/test-support/stand-in-server';
import { clientOf } from './connection.ts';
import { SizesReader } from './samples.ts';

test('the used space of a disk includes other files, if the servers report it', async (t) => {
  let reported: object = {};
  const { host } = await standInServer(scopeOf(t), (command, own) => {
    const dbStats = { storageSize: 300, indexSize: 100, ...reported };
    return replicaSet({ dbStats })(command, own);
  });
  const client = await clientOf({ connectionString: `mongodb://${host}/` });
  const reader = new SizesReader({ monotonic: () => 0 });
  try {
    assert.deepEqual((await reader.refresh(client)).disk, { used: 400 });
    reported = { fsTotalSize: 10_000, fsUsedSize: 9_500 };
    assert.deepEqual((await reader.refresh(client)).disk, { used: 9_500, total: 10_000, free: 500 });
  } finally {
    await client.close();
  }
});

test('if the time does not suffice, the sizes of the other databases are read next time', async (t) => {
  const [names, asked] = [['a', 'b', 'c'], [] as string[]];
  const { host } = await standInServer(scopeOf(t), (command, own) => {
    if (command.dbStats !== undefined) asked.push(command.$db);
    const databases = names.map((name) => ({ name }));
    return replicaSet({ listDatabases: { databases }, dbStats: { objects: asked.length } })(command, own);
  });
  const client = await clientOf({ connectionString: `mongodb://${host}/` });
  let now = 0;
  const reader = new SizesReader({
    monotonic() {
      now += 8_000;
      return now;
    },
  });
  const objects = async () => {
    const { databases } = await reader.refresh(client);
    return Object.fromEntries(Object.entries(databases).map(([name, sizes]) => [name, sizes.objects]));
  };
  try {
    assert.deepEqual(await objects(), { a: 1, b: 2 });
    assert.deepEqual(await objects(), { a: 4, b: 2, c: 3 });
    names.shift();
    assert.deepEqual(Object.keys(await objects()), ['b', 'c']);
    assert.deepEqual(asked, ['a', 'b', 'c', 'a', 'b', 'c']);
  } finally {
    await client.close();
  }
});
