import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesIn, pathWriter, routerPattern } from './path-template.ts';

const pin = '/groups/{groupId}/clusters/{clusterName}:pin';

test('a template names its parameters in order', () => {
  assert.deepEqual(namesIn(pin), ['groupId', 'clusterName']);
  assert.deepEqual(namesIn('/orgs'), []);
});

test('the router reads a colon as text, and a verb apart from the parameter before it', () => {
  assert.equal(routerPattern(pin), '/groups/:groupId/clusters/:clusterName([^:]+)::pin');
  assert.equal(
    routerPattern('/groups/{groupId}/flexClusters:upgrade'),
    '/groups/:groupId/flexClusters::upgrade',
  );
});

test('a path is written with its values encoded, or not at all', () => {
  const write = pathWriter('/groups/{groupId}/accessList/{entry}');
  assert.equal(write({ entry: '10.0.0.0/8' }, { groupId: 'a' }), '/groups/a/accessList/10.0.0.0%2F8');
  assert.equal(write({ entry: 'x', groupId: 'inner' }, { groupId: 'outer' }), '/groups/inner/accessList/x');
  assert.equal(write({}, { groupId: 'a' }), undefined);
  assert.equal(pathWriter('/')({}, {}), '');
  assert.equal(pathWriter(pin)({ groupId: 'a', clusterName: 'b' }, {}), '/groups/a/clusters/b:pin');
});
