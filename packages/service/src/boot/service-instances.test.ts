import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { type ServiceInstance, ServiceInstances } from './service-instances.ts';

/**
 * Returns a service and a record of what happened. Each element of `openings` is the error with which an instance
 * fails to open; undefined for success.
 */
async function openedAs(...openings: readonly (Error | undefined)[]) {
  const happened: string[] = [];
  const queue = [...openings];
  const open = async () => {
    const error = queue.shift();
    happened.push(error === undefined ? 'open' : `not open: ${error.message}`);
    if (error !== undefined) throw error;
    return {
      listener: () => {},
      close: async () => void happened.push('close'),
    } as unknown as ServiceInstance;
  };
  const lost = (error: unknown) => void happened.push(`lost: ${(error as Error).message}`);
  const instances = new ServiceInstances(machineClock(), open, lost);
  await instances.begin();
  const change = (applied = Promise.resolve()) => ({
    async apply() {
      happened.push('apply');
      await applied;
    },
    undo: async () => void happened.push('undo'),
  });
  return { instances, happened, change };
}

test('the former instance is opened again if the change or the new instance fails', async () => {
  const one = await openedAs();
  await assert.rejects(one.instances.reopen(one.change(Promise.reject(new Error('full'))), 0), /full/);
  assert.deepEqual(one.happened, ['open', 'close', 'apply', 'undo', 'open']);
  assert.ok(one.instances.current);

  const other = await openedAs(undefined, new Error('newer'));
  await assert.rejects(other.instances.reopen(other.change(), 0), /newer/);
  assert.deepEqual(other.happened, ['open', 'close', 'apply', 'not open: newer', 'undo', 'open']);
});

test('if the former instance cannot be opened either, the failure is reported once, after the rollback', async () => {
  const { instances, happened, change } = await openedAs(
    ...[undefined, new Error('newer'), new Error('full')],
  );
  await assert.rejects(instances.reopen(change(), 0), /full/);
  assert.deepEqual(happened.slice(3), ['not open: newer', 'undo', 'not open: full', 'lost: full']);
});
