import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { type Document, Long, serialize } from 'bson';
import type { ClusterModel } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { runCommand } from './run.ts';

const user = { username: 'reader', database: 'admin', roles: [] };
const cluster = { id: 'c1', host: 'host', name: 'harbour', placement: {} } as unknown as ClusterModel;

test('a reply is returned although the database does not respond when its cursor is closed', async () => {
  const machine = testClock();
  const commands: string[] = [];
  const runAs = (_: string, __: object, command: Document) => {
    commands.push(Object.keys(command)[0] ?? '');
    const cursor = { id: Long.fromNumber(5), ns: 'harbour.ships', firstBatch: [{ _id: 1 }] };
    if (!('killCursors' in command)) return Promise.resolve(serialize({ cursor, ok: 1 }));
    setImmediate(() => machine.advance(60_000));
    return new Promise(() => {});
  };
  const services = { machine, engines: { at: () => ({ runAs }) } } as unknown as Services;
  const command = { aggregate: 'ships', pipeline: [] };
  const { make } = await runCommand(services, cluster, user, { database: 'harbour', command });
  const { reply, isCut } = await make();
  assert.match(reply.text, /"firstBatch":\[\{"_id":1\}\]/);
  assert.deepEqual([isCut, commands], [true, ['aggregate', 'killCursors']]);
});
