import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openClusters } from '../clusters/testing.ts';
import { findProject, organizationsOfProjects, projectsAmong } from './rows.ts';

onEachDatabase(
  'projects are found among more ids than a statement can have parameters',
  async (t, database) => {
    const { store, groupId } = await openClusters(t, database);
    const ids = Array.from({ length: 70_000 }, (_, number) => `5f${number.toString(16).padStart(22, '0')}`);
    await store.read(async (tx) => {
      const { orgId = '' } = (await findProject(tx, groupId)) ?? {};
      assert.deepEqual(await projectsAmong(tx, orgId, [...ids, groupId]), new Set([groupId]));
      assert.deepEqual(await organizationsOfProjects(tx, [...ids, groupId]), new Map([[groupId, orgId]]));
    });
  },
);
