import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canChange, intervalOf, isLimited } from './pace.ts';

const limited = [
  '/groups/a/events',
  '/groups/a/events?eventType=b',
  '/orgs/a/events',
  '/groups/a/dbAccessHistory/clusters/b?nLogs=200',
  '/groups/a/processes/b:27017/measurements?granularity=PT1M',
  '/groups/a/processes/b:27017/databases/c/measurements?granularity=PT1M',
];

test('pages send at most four requests per minute to an operation with a rate limit', () => {
  for (const path of limited) {
    assert.ok(isLimited(path), path);
    assert.ok(intervalOf(path, false) >= 15_000, path);
  }
  for (const path of ['/groups/a/processes', '/groups/a/eventsource', '/groups/events', '/eventTypes'])
    assert.equal(isLimited(path), false, path);
});

test('lists that an event stream keeps up to date are rarely reloaded', () => {
  assert.equal(intervalOf('/groups/a/events', true), 300_000);
  for (const path of ['/orgs', '/groups', '/clusters', '/groups/a', '/groups/a/clusters']) {
    assert.equal(intervalOf(path, true), 30_000, path);
    assert.equal(intervalOf(path, false), 3000, path);
  }
  assert.equal(intervalOf('/groups/a/alerts?status=OPEN', true), 30_000);
  for (const path of ['/groups/a/clusters/b', '/groups/a/processes', '/groups/a/clusters/b/backup/snapshots'])
    assert.equal(intervalOf(path, true), 3000, path);
});

test('long lists are reloaded less often', () => {
  assert.equal(intervalOf('/groups/a/processes', true, 500), 3000);
  assert.equal(intervalOf('/groups/a/processes', true, 501), 30_000);
});

test('an event of a project does not change the data of other projects', () => {
  const event = { groupId: 'a' };
  for (const path of ['/groups/a', '/groups/a/clusters', '/groups', '/orgs/c/teams'])
    assert.ok(canChange(event, path), path);
  for (const path of ['/groups/b', '/groups/b/clusters', '/groups/ab?x=1'])
    assert.equal(canChange(event, path), false, path);
  assert.ok(canChange({}, '/groups/b/clusters'), 'teams of the organization have roles in projects');
});
