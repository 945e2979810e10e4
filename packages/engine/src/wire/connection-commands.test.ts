import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MalformedMessage } from '../message/sections.ts';
import { TestCluster } from '../worker/testing.ts';
import { checkLocalSize, connectionCommands } from './connection-commands.ts';
import type { ClusterView } from './view.ts';

test('runs commands that listCommands lists, except those for tests', () => {
  const cluster = new TestCluster();
  const { commands } = cluster.run({ listCommands: 1 });
  cluster.remove();
  const always = connectionCommands.filter(({ managed }) => managed === 'answered');
  for (const { name, stableApi } of always)
    assert.deepEqual(commands[name]?.apiVersions, stableApi ? ['1'] : [], name);
});

test('rejects a large command that the connection thread would decode at once', () => {
  const view = { managed: true } as ClusterView;
  const large = Buffer.alloc(65_537);
  for (const name of ['hello', 'ismaster', 'saslStart', 'logout', 'authenticate'])
    assert.throws(() => checkLocalSize(name, large, view), MalformedMessage);
  checkLocalSize('hello', large.subarray(1), view);
  checkLocalSize('insert', large, view);
  // These commands are rejected without being decoded.
  checkLocalSize('createRole', large, view);
});
