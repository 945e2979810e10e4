import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, type MongoClient, MongoServerError } from 'mongodb';
import { contentsOf, inspect } from './inspect.ts';
import { mayOnCluster, privilegesOf } from './privileges.ts';

interface ClientWith {
  /** Replies to other commands. A number is the code of an error. */
  readonly replies?: Document;
  readonly credentials?: object;
}

/** A client of a standalone server that reports this version, and has few other commands. */
function clientWith(version: unknown, { replies, credentials }: ClientWith = {}): MongoClient {
  const all: Document = { hello: {}, buildInfo: { version }, listDatabases: { databases: [] }, ...replies };
  const command = async (sent: Document) => {
    const [name = ''] = Object.keys(sent);
    const reply = all[name] ?? 59;
    if (typeof reply === 'number') throw new MongoServerError({ message: 'refused', code: reply });
    return reply;
  };
  const options = { hosts: ['db.example.org:27017'], tls: false, credentials };
  return { db: () => ({ command }), options } as unknown as MongoClient;
}

test('the version has no suffix', async () => {
  for (const [reported, version] of [
    ['8.0.4', '8.0.4'],
    ['7.0.14-8', '7.0.14'],
    ['8.2.0-rc1', '8.2.0'],
    ['7.0.42.1', '7.0.42'],
  ])
    assert.equal((await inspect(clientWith(reported))).version, version);
});

test('servers without a usable version are not usable', async () => {
  for (const version of [undefined, '', '8', '8.0', 'v8.0.4', '8.0.4x', '8'.repeat(100_000), { $gt: 1 }])
    await assert.rejects(inspect(clientWith(version)), /no version such as 8\.0\.4/);
});

const router = { msg: 'isdbgrid', logicalSessionTimeoutMinutes: 30 };

test('a server that replies like a router, but has no shards, is a standalone server', async () => {
  for (const listShards of [59, 115]) {
    const { topology, members } = await inspect(
      clientWith('7.0.0', { replies: { hello: router, listShards } }),
    );
    const [{ host, port, kind } = {}] = members;
    assert.deepEqual(
      [topology, members.length, host, port, kind],
      ['STANDALONE', 1, 'db.example.org', 27017, 'electable'],
    );
  }
});

test('a router whose shards the user may not list is not usable', async () => {
  await assert.rejects(inspect(clientWith('7.0.0', { replies: { hello: router, listShards: 13 } })), {
    code: 13,
  });
});

test('a user whom the server does not report has no privileges', async () => {
  const authInfo = { authenticatedUsers: [], authenticatedUserPrivileges: [] };
  const replies = { connectionStatus: { authInfo } };
  const open = await privilegesOf(clientWith('7.0.0', { replies }));
  assert.ok(mayOnCluster(open, 'setParameter'));
  assert.deepEqual(
    await privilegesOf(clientWith('7.0.0', { replies, credentials: { username: 'pilot' } })),
    [],
  );
});

test('databases have no size if the server reports none', async () => {
  const listDatabases = { databases: [{ name: 'quay' }, { name: 'pier', sizeOnDisk: 0 }] };
  const { databases } = await contentsOf(clientWith('7.0.0', { replies: { listDatabases } }));
  assert.deepEqual(databases, [{ name: 'quay' }, { name: 'pier', sizeOnDisk: 0 }]);
});
