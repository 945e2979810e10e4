import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { system } from '../../events/index.ts';
import { seedName } from '../clusters/index.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import { addOrganization } from '../organizations/index.ts';
import { addProject } from '../projects/index.ts';
import { recordsOf } from './answers.ts';

const naming = { domain: 'db.example.org', tls: true };

onEachDatabase('a query reads one of the clusters with the same name', async (t, database) => {
  const { store } = await openClusters(t, database);
  const clusters = await store.write(async (tx) => {
    const { id: orgId } = await addOrganization(tx, system, { name: 'many', skipDefaultAlerts: true });
    const made = [];
    for (let count = 0; count < 5; count++) {
      const name = `project ${count}`;
      const regionUsage = 'COMMERCIAL_FEDRAMP_REGIONS_ONLY';
      const { id } = await addProject(tx, system, { orgId, name, regionUsage, tags: [] });
      made.push(await makeCluster(tx, id, 'ship'));
    }
    return made;
  });
  // Each cluster whose row is read is parsed.
  const parse = t.mock.method(JSON, 'parse');
  const parsed = async (name: string, type: 'SRV' | 'TXT') => {
    const before = parse.mock.callCount();
    const records = await store.read((tx) => recordsOf(tx, { name, type }, naming));
    return { records: records?.length, parsed: parse.mock.callCount() - before };
  };
  const alone = await parsed(`_mongodb._tcp.${seedName(clusters[0] as never, naming)}`, 'SRV');
  assert.ok(alone.parsed <= 2, `${alone.parsed} fields were parsed`);
  for (const cluster of clusters) {
    for (const form of [naming, { ...naming, hyphens: true }]) {
      const text = await parsed(seedName(cluster, form), 'TXT');
      assert.deepEqual(text, { records: 1, parsed: alone.parsed });
    }
  }
  assert.deepEqual(await parsed('ship.zzzzzz.db.example.org', 'TXT'), { records: undefined, parsed: 0 });
});
