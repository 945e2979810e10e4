import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOf } from '@portolan/test-support/service';
import { type Answer, replicaSet, standInServer } from '@portolan/test-support/stand-in-server';
import type { Document } from 'mongodb';
import { clientOf } from '../adopted/connection.ts';
import { wholeList } from './lists.ts';

/** A server with an endless list of collections. Each reply contains `count` of them. */
const endless = (count: number, made: (index: number) => Document): Answer => {
  const batch = Array.from({ length: count }, (_, index) => made(index));
  const cursor = { id: 7n, ns: 'harbour.$cmd.listCollections' };
  return (command, host) =>
    replicaSet({
      listCollections: { cursor: { ...cursor, firstBatch: batch } },
      getMore: { cursor: { ...cursor, nextBatch: batch } },
      killCursors: {},
    })(command, host);
};

test('an endless list ends with the reason', async (t) => {
  const cases: readonly (readonly [Answer, RegExp])[] = [
    [
      endless(5_000, (index) => ({ name: `ships${index}` })),
      /^the servers list more than 100000 collections,/,
    ],
    [
      endless(10, () => ({ name: 'x'.repeat(100_000) })),
      /^the servers describe collections in more than 64 MiB/,
    ],
  ];
  for (const [answer, reason] of cases) {
    const { host } = await standInServer(scopeOf(t), answer);
    const client = await clientOf({ connectionString: `mongodb://${host}/` });
    const listed = wholeList('collections', client.db('harbour').listCollections({}));
    await assert.rejects(listed, { message: reason });
    await client.close();
  }
});
