import { pageOf } from '../../store/index.ts';
import { extension } from '../services.ts';
import { deleteEndpoint, type EndpointRow, endpointsIn } from './rows.ts';
import { addEndpoint, listAt, requireEndpoint } from './rules.ts';
import { BucketEndpoint, KeyEndpoint } from './schema.ts';

const KEYS = '/groups/{groupId}/encryptionAtRest/{cloudProvider}/privateEndpoints';
const BUCKETS = '/groups/{groupId}/backup/{cloudProvider}/privateEndpoints';

function presentKeyEndpoint({ id, provider, region }: EndpointRow) {
  const unmade = { errorMessage: null, privateEndpointConnectionName: null };
  return {
    ...unmade,
    cloudProvider: provider,
    id,
    regionName: region,
    status: 'PENDING_ACCEPTANCE' as const,
  };
}

function presentBucketEndpoint(row: EndpointRow) {
  return { ...presentKeyEndpoint(row), cloudProvider: 'AWS' as const, vpcRegionName: row.networkRegion };
}

export const listKeyEndpoints = extension({
  id: 'getEncryptionAtRestPrivateEndpointsForCloudProvider',
  tag: 'Encryption at Rest',
  method: 'GET',
  path: KEYS,
  summary: 'Lists the private endpoints for encryption keys that are recorded for one cloud provider.',
  access: 'Project Owner',
  reply: KeyEndpoint,
  list: 'page',
  status: 200,
  handler: ({ params, page, read }) =>
    read(async (tx) => {
      const rows = await endpointsIn(tx, listAt(params, 'keys'));
      return pageOf(rows.map(presentKeyEndpoint), page);
    }),
});

export const createKeyEndpoint = extension({
  id: 'createEncryptionAtRestPrivateEndpoint',
  tag: 'Encryption at Rest',
  method: 'POST',
  path: KEYS,
  summary: 'Records a private endpoint for encryption keys. The service does not connect it.',
  access: 'Project Owner',
  body: KeyEndpoint,
  reply: KeyEndpoint,
  status: 202,
  handler: ({ params, body, write }) =>
    write(async (tx) => presentKeyEndpoint(await addEndpoint(tx, listAt(params, 'keys'), body))),
});

export const getKeyEndpoint = extension({
  id: 'getEncryptionAtRestPrivateEndpoint',
  tag: 'Encryption at Rest',
  method: 'GET',
  path: `${KEYS}/{endpointId}`,
  summary: 'Returns one recorded private endpoint for encryption keys.',
  access: 'Project Owner',
  reply: KeyEndpoint,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) =>
      presentKeyEndpoint(await requireEndpoint(tx, listAt(params, 'keys'), params.endpointId)),
    ),
});

export const deleteKeyEndpoint = extension({
  id: 'requestEncryptionAtRestPrivateEndpointDeletion',
  tag: 'Encryption at Rest',
  method: 'DELETE',
  path: `${KEYS}/{endpointId}`,
  summary: 'Deletes a recorded private endpoint for encryption keys.',
  access: 'Project Owner',
  status: 204,
  handler: ({ params, write }) =>
    write(async (tx) => {
      const { id } = await requireEndpoint(tx, listAt(params, 'keys'), params.endpointId);
      await deleteEndpoint(tx, id);
    }),
});

export const listBucketEndpoints = extension({
  id: 'listBackupPrivateEndpoints',
  tag: 'Cloud Backups',
  method: 'GET',
  path: BUCKETS,
  summary: 'Lists the private endpoints for export buckets that are recorded for one cloud provider.',
  access: 'Project Read Only',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  reply: BucketEndpoint,
  list: 'page',
  status: 200,
  handler: ({ params, page, read }) =>
    read(async (tx) => {
      const rows = await endpointsIn(tx, listAt(params, 'buckets'));
      return pageOf(rows.map(presentBucketEndpoint), page);
    }),
});

export const createBucketEndpoint = extension({
  id: 'createBackupPrivateEndpoint',
  tag: 'Cloud Backups',
  method: 'POST',
  path: BUCKETS,
  summary: 'Records a private endpoint for export buckets. The service does not connect it.',
  access: 'Project Owner',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  body: BucketEndpoint,
  reply: BucketEndpoint,
  status: 201,
  handler: ({ params, body, write }) =>
    write(async (tx) => presentBucketEndpoint(await addEndpoint(tx, listAt(params, 'buckets'), body))),
});

export const getBucketEndpoint = extension({
  id: 'getBackupPrivateEndpoint',
  tag: 'Cloud Backups',
  method: 'GET',
  path: `${BUCKETS}/{endpointId}`,
  summary: 'Returns one recorded private endpoint for export buckets.',
  access: 'Project Read Only',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  reply: BucketEndpoint,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) =>
      presentBucketEndpoint(await requireEndpoint(tx, listAt(params, 'buckets'), params.endpointId)),
    ),
});

export const deleteBucketEndpoint = extension({
  id: 'deleteBackupPrivateEndpoint',
  tag: 'Cloud Backups',
  method: 'DELETE',
  path: `${BUCKETS}/{endpointId}`,
  summary: 'Deletes a recorded private endpoint for export buckets.',
  access: 'Project Owner',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  status: 204,
  handler: ({ params, write }) =>
    write(async (tx) => {
      const { id } = await requireEndpoint(tx, listAt(params, 'buckets'), params.endpointId);
      await deleteEndpoint(tx, id);
    }),
});
