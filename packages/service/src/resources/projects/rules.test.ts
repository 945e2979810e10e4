import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { system } from '../../events/index.ts';
import { addCount, type Store } from '../../store/index.ts';
import { openClusters } from '../clusters/testing.ts';
import { projectCount } from '../organizations/index.ts';
import { addProject, moveProject } from './changes.ts';
import { MAX_PROJECTS, requireProject } from './rules.ts';

const create = (store: Store, orgId: string, name: string) =>
  store.write((tx) =>
    addProject(tx, system, { orgId, name, regionUsage: 'COMMERCIAL_FEDRAMP_REGIONS_ONLY', tags: [] }),
  );

onEachDatabase('an organization has a largest number of projects', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const { orgId } = await store.read((tx) => requireProject(tx, groupId));
  await store.write((tx) => addCount(tx, projectCount, orgId, MAX_PROJECTS - 2));
  const last = await create(store, orgId, 'last');
  const full = {
    code: 'MAX_GROUPS_PER_ORG_EXCEEDED',
    message: `The organization ${orgId} has reached its limit of ${MAX_PROJECTS} projects.`,
  };
  await assert.rejects(create(store, orgId, 'further'), full);
  const moved = store.write((tx) => moveProject(tx, { ...last, name: 'moved' }, orgId, system));
  await assert.rejects(moved, full);
});
