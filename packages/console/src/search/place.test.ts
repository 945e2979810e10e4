import assert from 'node:assert/strict';
import { test } from 'node:test';
import { organizationAt, projectAt } from './place.ts';

const project = (id: string, orgId: string) => ({ id, orgId, name: id, clusterCount: 0 });
const projects = [project('p1', 'o1'), project('p2', 'o2')];
const organizations = ['o1', 'o2', 'o3'].map((id) => ({ id, name: id }));

const placeAt = (location: string) => {
  const found = projectAt(location, projects);
  return [found?.id, organizationAt(location, organizations, found)?.id];
};

test('the search looks in the project and the organization of the page', () => {
  assert.deepEqual(placeAt('/projects/p2/clusters'), ['p2', 'o2']);
  assert.deepEqual(placeAt('/organizations/o2/access/people'), ['p2', 'o2']);
  assert.deepEqual(placeAt('/organizations/o3/access'), [undefined, 'o3']);
  assert.deepEqual(placeAt('/requests'), ['p1', 'o1']);
  assert.deepEqual(organizationAt('/', organizations, undefined), { id: 'o1', name: 'o1' });
});
