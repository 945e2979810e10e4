import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Document, type MongoClient, MongoServerError } from 'mongodb';
import { inspect } from './inspect.ts';

/** A client of a standalone server that reports this version, and refuses most commands. */
function clientWith(version: unknown): MongoClient {
  const replies: Document = { hello: {}, buildInfo: { version }, listDatabases: { databases: [] } };
  const command = async (sent: Document) => {
    const [name = ''] = Object.keys(sent);
    if (replies[name] === undefined) throw new MongoServerError({ message: 'unknown', code: 59 });
    return replies[name];
  };
  const options = { hosts: ['db.example.org:27017'], tls: false };
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
