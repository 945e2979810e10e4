import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesIn, pathWriter } from './path-template.ts';

const pin = '/groups/{groupId}/clusters/{clusterName}:pin';

test('returns parameter names in order', () => {
  assert.deepEqual(namesIn(pin), ['groupId', 'clusterName']);
  assert.deepEqual(namesIn('/orgs'), []);
});

test('writes a path with encoded values, or none if a value is missing', () => {
  const write = pathWriter('/groups/{groupId}/accessList/{entry}');
  assert.equal(write({ entry: '10.0.0.0/8' }, { groupId: 'a' }), '/groups/a/accessList/10.0.0.0%2F8');
  assert.equal(write({ entry: 'x', groupId: 'inner' }, { groupId: 'outer' }), '/groups/inner/accessList/x');
  assert.equal(write({}, { groupId: 'a' }), undefined);
  assert.equal(pathWriter('/')({}, {}), '');
  assert.equal(pathWriter(pin)({ groupId: 'a', clusterName: 'b' }, {}), '/groups/a/clusters/b:pin');
});
