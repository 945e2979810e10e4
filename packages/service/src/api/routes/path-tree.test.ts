import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PathTree } from './path-tree.ts';

const tree = new PathTree<string>();
const templates = [
  '/',
  '/groups',
  '/groups/{groupId}',
  '/groups/byName/{name}',
  '/groups/{groupId}/accessList/{entry}',
  '/groups/{groupId}/clusters/{clusterName}',
  '/groups/{groupId}/clusters/{clusterName}:pin',
  '/groups/{groupId}/flexClusters:upgrade',
  '/groups/{groupId}/logs/{logName}.gz',
];
for (const template of templates) tree.add(template, template);

function found(path: string): unknown[] {
  return tree.match(path).map(({ value, values }) => [value, ...values]);
}

test('matches whole paths, with or without a trailing slash', () => {
  for (const path of ['', '/']) assert.deepEqual(found(path), [['/']]);
  for (const path of ['/groups', '/groups/']) assert.deepEqual(found(path), [['/groups']]);
  for (const path of ['/Groups', '//groups', '/groups//', '/groups/a/accessList', '/groups/a/accessList/b/c'])
    assert.deepEqual(found(path), [], path);
});

test('decodes values, and does not match malformed paths', () => {
  assert.deepEqual(found('/groups/a/accessList/10.0.0.0%2F8'), [
    ['/groups/{groupId}/accessList/{entry}', 'a', '10.0.0.0/8'],
  ]);
  assert.deepEqual(found('/group%73/a'), [['/groups/{groupId}', 'a']]);
  assert.deepEqual(found('/groups/a/accessList/%zz'), []);
  assert.deepEqual(found(`/groups/${'a'.repeat(4097)}`), []);
});

test('literal segments precede parameters, with backtracking', () => {
  assert.deepEqual(found('/groups/byName'), [['/groups/{groupId}', 'byName']]);
  assert.deepEqual(found('/groups/byName/x'), [['/groups/byName/{name}', 'x']]);
  assert.deepEqual(found('/groups/byName/accessList/x'), [
    ['/groups/{groupId}/accessList/{entry}', 'byName', 'x'],
  ]);
});

test('a custom method is not part of the value before it', () => {
  const cluster = '/groups/{groupId}/clusters/{clusterName}';
  assert.deepEqual(found('/groups/a/clusters/b:pin'), [
    [`${cluster}:pin`, 'a', 'b'],
    [cluster, 'a', 'b:pin'],
  ]);
  assert.deepEqual(found('/groups/a/clusters/b%3Apin'), [[cluster, 'a', 'b:pin']]);
  assert.deepEqual(found('/groups/a/clusters/b:unpin'), [[cluster, 'a', 'b:unpin']]);
  assert.deepEqual(found('/groups/a/clusters/:pin'), [[cluster, 'a', ':pin']]);
  assert.deepEqual(found('/groups/a/flexClusters:upgrade'), [
    ['/groups/{groupId}/flexClusters:upgrade', 'a'],
  ]);
});

test('a suffix after a parameter is not part of its value', () => {
  const logs = '/groups/{groupId}/logs/{logName}.gz';
  assert.deepEqual(found('/groups/a/logs/db.gz'), [[logs, 'a', 'db']]);
  assert.deepEqual(found('/groups/a/logs/db.gz.gz'), [[logs, 'a', 'db.gz']]);
  for (const path of ['/groups/a/logs/db', '/groups/a/logs/.gz', '/groups/a/logs/db.gz/x'])
    assert.deepEqual(found(path), [], path);
});
