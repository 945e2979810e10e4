import { countOf } from '../../../store/index.ts';
import { requireUsableRole } from '../../provider-access/index.ts';
import { operation } from '../../services.ts';
import { checkWritable, regionOfBucket } from './bucket-store.ts';
import { addBucket, removeBucket } from './changes.ts';
import { type BucketRow, bucketCount, pageOfBuckets } from './rows.ts';
import { readBucket, requireBucket } from './rules.ts';
import { ExportBucket, FormerExportBucket } from './schema.ts';

function presentBucket({ id, facts }: BucketRow) {
  const { provider, bucketName, roleId, azure, tenantId } = facts;
  return {
    _id: id,
    bucketName,
    cloudProvider: provider,
    ...(provider === 'AWS' ? { iamRoleId: roleId } : { roleId }),
    requirePrivateNetworking: false,
    ...(azure === undefined ? {} : { serviceUrl: azure.given }),
    ...(tenantId === undefined ? {} : { tenantId }),
  };
}

/**
 * Presents a bucket for read operations. The response of a read operation contains the region; the response to the
 * creation of a bucket does not (docs/contract/clusters.md 3.5).
 */
function presentFound(row: BucketRow) {
  const { region } = row.facts;
  return { ...presentBucket(row), ...(region === undefined ? {} : { region }) };
}

const former = {
  reply: FormerExportBucket,
  write: ({ roleId, ...bucket }: ExportBucket) => ({
    ...bucket,
    ...(roleId === undefined ? {} : { iamRoleId: roleId }),
  }),
};

export const listExportBuckets = operation({
  id: 'listExportBuckets',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/backup/exportBuckets',
  summary: 'Lists the export buckets of a project, oldest first.',
  access: 'Project Read Only',
  versions: { '2023-01-01': former, '2024-05-30': 'same', '2025-03-12': 'same' },
  reply: ExportBucket,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'exportBuckets' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId } = call.params;
      const { rows, next } = await pageOfBuckets(tx, groupId, call.page);
      const totalCount = call.page.includeCount ? await countOf(tx, bucketCount, groupId) : undefined;
      return { results: rows.map(presentFound), next, totalCount };
    }),
});

export const createExportBucket = operation({
  id: 'createExportBucket',
  tag: 'Cloud Backups',
  method: 'POST',
  path: '/groups/{groupId}/backup/exportBuckets',
  summary: 'Registers an existing bucket for exports. The service writes a test object to the bucket first.',
  access: 'Project Owner',
  versions: {
    '2023-01-01': { ...former, body: FormerExportBucket, access: 'Project Backup Manager' },
    '2024-05-30': 'same',
    '2025-03-12': 'same',
  },
  body: ExportBucket,
  reply: ExportBucket,
  status: 200,
  repeatable: () => ({ requirePrivateNetworking: false }),
  async handler(call) {
    const { groupId } = call.params;
    const { clouds } = call.services;
    const facts = readBucket(call.body, clouds);
    const at = { groupId, roleId: facts.roleId, provider: facts.provider };
    const role = await call.read((tx) => requireUsableRole(tx, at));
    await checkWritable(clouds, facts, role);
    const region = await regionOfBucket(clouds, facts, role);
    const found = region === undefined ? facts : { ...facts, region };
    return call.write(async (tx) => presentBucket(await addBucket(tx, groupId, found, call.actor)));
  },
});

export const getExportBucket = operation({
  id: 'getExportBucket',
  tag: 'Cloud Backups',
  method: 'GET',
  path: '/groups/{groupId}/backup/exportBuckets/{exportBucketId}',
  summary: 'Returns one export bucket.',
  access: 'Project Read Only',
  versions: { '2023-01-01': former, '2024-05-30': 'same', '2025-03-12': 'same' },
  reply: ExportBucket,
  status: 200,
  handler: (call) =>
    call.read(async (tx) =>
      presentFound(await requireBucket(tx, call.params.groupId, call.params.exportBucketId)),
    ),
});

export const deleteExportBucket = operation({
  id: 'deleteExportBucket',
  tag: 'Cloud Backups',
  method: 'DELETE',
  path: '/groups/{groupId}/backup/exportBuckets/{exportBucketId}',
  summary:
    'Removes an unused export bucket from the project. The bucket and its objects remain at the provider.',
  access: 'Project Backup Manager',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const row = await requireBucket(tx, call.params.groupId, call.params.exportBucketId);
      await removeBucket(tx, row, call.actor);
    }),
});
