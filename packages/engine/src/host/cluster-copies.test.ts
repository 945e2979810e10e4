import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { testClock } from '@portolan/foundation/testing';
import { ClusterCopies } from './cluster-copies.ts';

/** Copies that are complete when the test calls `complete`. */
function copiesOfTest() {
  const clock = testClock();
  const { promise: copied, resolve: complete, reject: fail } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const copies = new ClusterCopies({
    clock,
    backups: {
      prepareCopies: async () => ({
        begin: async () => true,
        done: () => copied,
        end: async () => void seen.push('ended'),
      }),
    },
    ids: () => ['a'],
    foldersFor: async () => [],
    takeTurns: async () => async () => void seen.push('released'),
  });
  return { clock, copies, complete, fail, seen };
}

test('turns are released if the client does not begin', async () => {
  const { clock, copies, seen } = copiesOfTest();
  await copies.prepare('folder');
  clock.advance(30_000);
  await setImmediate();
  assert.deepEqual(seen, ['ended', 'released']);
  assert.equal(await copies.begin('folder'), 'changed');
});

test('turns are released if the client is gone when the copies are complete', async () => {
  const { clock, copies, complete, seen } = copiesOfTest();
  await copies.prepare('folder');
  assert.equal(await copies.begin('folder'), 'begun');
  clock.advance(60_000);
  await setImmediate();
  assert.deepEqual(seen, []);
  complete();
  await setImmediate();
  clock.advance(5_000);
  await setImmediate();
  assert.deepEqual(seen, ['ended', 'released']);
});

test('a client that is slow learns that the copies have failed, even if turns were released', async () => {
  const { clock, copies, fail, seen } = copiesOfTest();
  await copies.prepare('folder');
  await copies.begin('folder');
  fail(new Error('the disk is full'));
  await setImmediate();
  clock.advance(5_000);
  await setImmediate();
  assert.deepEqual(seen, ['ended', 'released']);
  await assert.rejects(copies.finish('folder'), /the disk is full/);
  assert.deepEqual(seen, ['ended', 'released']);
});

test('a client that waits for the copies ends them', async () => {
  const { clock, copies, complete, seen } = copiesOfTest();
  await copies.prepare('folder');
  await copies.begin('folder');
  const finished = copies.finish('folder');
  complete();
  await finished;
  clock.advance(60_000);
  await setImmediate();
  assert.deepEqual(seen, ['ended', 'released']);
});

test('deployments are released if the client leaves before or after the preparation', async () => {
  const { copies, seen } = copiesOfTest();
  await copies.prepare('folder');
  await copies.abandon();
  assert.deepEqual(seen.splice(0), ['ended', 'released']);
  const prepared = copies.prepare('folder');
  await copies.abandon();
  await prepared;
  assert.deepEqual(seen.splice(0), ['ended', 'released']);
  assert.equal(await copies.begin('folder'), 'changed');
});

test('copies that have begun continue when a client leaves', async () => {
  const { copies, complete, seen } = copiesOfTest();
  await copies.prepare('folder');
  await copies.begin('folder');
  await copies.abandon();
  assert.deepEqual(seen, []);
  const finished = copies.finish('folder');
  complete();
  await finished;
  assert.deepEqual(seen, ['ended', 'released']);
});

test('copies that are about to begin continue when another client leaves', async () => {
  const { copies, seen } = copiesOfTest();
  await copies.prepare('folder');
  const begun = copies.begin('folder');
  await copies.abandon();
  assert.equal(await begun, 'begun');
  assert.deepEqual(seen, []);
});

test('copies whose time ends while they are about to begin have not begun', async () => {
  const { clock, copies, seen } = copiesOfTest();
  await copies.prepare('folder');
  const begun = copies.begin('folder');
  clock.advance(30_000);
  assert.equal(await begun, 'changed');
  await setImmediate();
  assert.deepEqual(seen, ['ended', 'released']);
});
