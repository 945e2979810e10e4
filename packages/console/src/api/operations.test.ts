import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiEntry } from './operations.ts';
import { apiRequest, operatorRequest } from './requests.ts';
import type { GroupPath } from './resources.ts';

const groupId: string = 'g';

test('requests have a method, a path and a body', () => {
  const body = { name: 'sailors', usernames: [] };
  assert.deepEqual(apiRequest('POST', `/orgs/${groupId}/teams`, body), {
    ...{ method: 'POST', surface: 'api', path: '/orgs/g/teams', body },
  });
  assert.deepEqual(operatorRequest('DELETE', `/faults/${groupId}`), {
    ...{ method: 'DELETE', surface: 'operator', path: '/faults/g', body: undefined },
  });
});

test('the compiler rejects requests that the service does not have', () => {
  // This function is compiled, but never called.
  const compiled = (path: GroupPath, cluster: ApiEntry<`${GroupPath}/clusters`>) => {
    apiRequest('PATCH', `${path}/clusters/${cluster.name}`, { paused: true });
    apiRequest('POST', `${path}/invites/${cluster.id}:resend`);
    // @ts-expect-error: the service has no such path
    apiRequest('DELETE', `${path}/cluster/${cluster.name}`);
    // @ts-expect-error: the operation has another method
    apiRequest('PUT', `${path}/clusters/${cluster.name}`, { paused: true });
    // @ts-expect-error: the body has no such field
    apiRequest('PATCH', `${path}/clusters/${cluster.name}`, { halted: true });
    // @ts-expect-error: the operation needs a body
    apiRequest('POST', `${path}/clusters`);
    // @ts-expect-error: the operation has no such parameter
    apiRequest('PUT', `${path}/backupCompliancePolicy?overwrite=true`, {});
    // @ts-expect-error: only the operator has this operation
    apiRequest('DELETE', `/faults/${cluster.id}`);
    // @ts-expect-error: the response has no such field
    return cluster.state;
  };
  assert.equal(compiled.length, 2);
});
