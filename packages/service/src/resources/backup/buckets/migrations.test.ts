import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openFormer } from '../../clusters/testing.ts';
import { pageOfBuckets } from './rows.ts';

interface FormerTables {
  backup_export_bucket: { id: string; group_id: string; document: string };
}

const aws = { provider: 'AWS', bucketName: 'exports', roleId: 'role', region: 'EU_WEST_1' };
const given = 'https://account.blob.example.net/';
const azure = { given, serviceUrl: 'https://account.blob.example.net', account: 'account' };
const buckets = {
  aws,
  azure: { provider: 'AZURE', bucketName: 'exports', roleId: 'role', azure, tenantId: 'tenant' },
  google: { provider: 'GCP', bucketName: 'exports', roleId: 'role' },
};

onEachDatabase('the facts of stored buckets are moved to columns', async (t, database) => {
  const { store, groupId, opened } = await openFormer(t, database, [210]);
  const former = Object.entries(buckets).map(([id, facts]) => {
    return { id, group_id: groupId, document: JSON.stringify(facts) };
  });
  await store.write((tx) =>
    tx.from<FormerTables>().insertInto('backup_export_bucket').values(former).execute(),
  );
  const page = { itemsPerPage: 5, pageNum: 1 };
  const { rows } = await (await opened()).read((tx) => pageOfBuckets(tx, groupId, page));
  assert.deepEqual(
    rows,
    Object.entries(buckets).map(([id, facts]) => ({ id, groupId, facts })),
  );
});
