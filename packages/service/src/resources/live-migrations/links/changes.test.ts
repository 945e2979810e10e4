import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openClusters } from '../../clusters/testing.ts';
import { requireProject } from '../../projects/index.ts';
import { addToken, MAX_HOSTS, MAX_TOKENS, recordReport } from './changes.ts';
import { agentsOf, type TokenRow } from './rows.ts';
import { SILENCE_MS } from './rules.ts';

const report = { organization: 'fleet', projects: [], surveys: [], migrations: [] };

onEachDatabase(
  'an organization has a maximum number of link tokens and migration hosts',
  async (t, database) => {
    const { store, groupId } = await openClusters(t, database);
    const { orgId } = await store.read((tx) => requireProject(tx, groupId));
    const token = (id: number): TokenRow => ({
      id: `token ${id}`,
      orgId,
      sealed: new Uint8Array(1),
      addresses: [],
      usedBy: undefined,
    });
    for (let id = 0; id < MAX_TOKENS; id++) await store.write((tx) => addToken(tx, token(id)));
    await assert.rejects(
      store.write((tx) => addToken(tx, token(MAX_TOKENS))),
      { code: 'MAX_LINK_TOKENS_EXCEEDED' },
    );
    const heard = (id: number, machineNow: number) =>
      store.write((tx) =>
        recordReport(tx, { token: token(0), report, host: `host${id}`, address: '192.0.2.1', machineNow }),
      );
    for (let id = 0; id < MAX_HOSTS; id++) await heard(id, id);
    await assert.rejects(heard(MAX_HOSTS, MAX_HOSTS), { code: 'MAX_MIGRATION_HOSTS_EXCEEDED' });
    await heard(7, MAX_HOSTS);
    // All hosts but the latest two no longer report.
    await heard(MAX_HOSTS, MAX_HOSTS - 1 + SILENCE_MS);
    const left = await store.read((tx) => agentsOf(tx, orgId));
    assert.deepEqual(
      left.map(({ host }) => host),
      ['host7', 'host99', 'host100'],
    );
  },
);
