import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backedUp, backupsOf } from './support/backups.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { onEachSetup } from './support/setups.ts';
import { type ListDocument, newCluster, newProject } from './support/stage.ts';

interface TaskDocument {
  readonly key: string;
  readonly runAt?: string;
  readonly [field: string]: unknown;
}

onEachSetup('the task list', (setup) => {
  const tasks = async (query: string) =>
    expectStatus<ListDocument<TaskDocument>>(
      await setup.operator.get(`/operator/v1/tasks?itemsPerPage=500&${query}`),
      200,
    ).results;

  test('shows work that waits for its date', async () => {
    const cluster = await newCluster(setup, await newProject(setup), 'fleet', backedUp);
    const { id, expiresAt } = await backupsOf(setup).taken(cluster);
    const all = await tasks('kind=backup.expire');
    const {
      created,
      id: taskId,
      key,
      ...task
    } = all.find((one) => one.key.includes(id)) ?? assert.fail('no task');
    assert.deepEqual(task, { failures: 0, kind: 'backup.expire', runAt: expiresAt, state: 'SCHEDULED' });
    assert.match(String(taskId), /^[0-9a-f]{24}$/);
    assert.ok(Date.parse(String(created)) < Date.parse(expiresAt));
    assert.ok(!(await tasks('failed=true')).some((one) => one.key === key));
  });

  test('is reserved to the operator', async () => {
    expectFault(await setup.owner.get('/operator/v1/tasks'), 401, 'UNAUTHORIZED');
  });
});
