import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Links, readOnly } from '../../../api/fields.ts';
import { operation } from '../../services.ts';
import { requireAny } from '../require.ts';
import { requestLoad } from '../sample-data/changes.ts';
import { sampleFaults } from '../sample-data/faults.ts';
import { findLoad, type LoadRow } from '../sample-data/rows.ts';

const SampleDatasetStatus = entity(
  Type.Object(
    {
      _id: readOnly(Type.String()),
      clusterName: readOnly(Type.String()),
      completeDate: readOnly(DateTime()),
      createDate: readOnly(DateTime()),
      errorMessage: readOnly(Type.String({ description: 'Why the load failed; absent otherwise.' })),
      links: Links,
      state: readOnly(Choice(['WORKING', 'COMPLETED', 'FAILED'])),
    },
    {
      description:
        'A load of sample data into a cluster. The sample data are a few hundred documents of different shapes.',
    },
  ),
  {
    name: 'sampleDatasetLoad',
    self: 'getSampleDatasetLoadStatus',
    params: (load) => ({ sampleDatasetId: load._id ?? '' }),
  },
);

const loadView = (row: LoadRow) => ({
  _id: row.id,
  clusterName: row.clusterName,
  createDate: row.created,
  state: row.state,
  ...(row.completed === undefined ? {} : { completeDate: row.completed }),
  ...(row.message === undefined ? {} : { errorMessage: row.message }),
});

export const loadSampleDataset = operation({
  id: 'loadSampleDataset',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/sampleDatasetLoad/{name}',
  summary: 'Loads the sample data into a cluster. Existing documents with the same ids are replaced.',
  access: 'Project Owner',
  reply: SampleDatasetStatus,
  status: 201,
  handler: ({ params: { groupId, name }, write, actor, flags }) => {
    const isVendorData = flags.includes('loadsVendorData');
    return write(async (tx) => {
      const cluster = await requireAny(tx, groupId, name);
      return loadView(await requestLoad(tx, cluster, { actor, isVendorData }));
    });
  },
});

export const getSampleDatasetLoadStatus = operation({
  id: 'getSampleDatasetLoadStatus',
  tag: 'Clusters',
  method: 'GET',
  path: '/groups/{groupId}/sampleDatasetLoad/{sampleDatasetId}',
  summary: 'Returns the status of a load of sample data.',
  access: 'Project Owner',
  reply: SampleDatasetStatus,
  status: 200,
  reachedFrom: {
    cluster: 'sampleDatasetLoad',
    flexCluster: 'sampleDatasetLoad',
    serverlessInstance: 'sampleDatasetLoad',
  },
  handler: ({ params: { groupId, sampleDatasetId }, read }) =>
    read(async (tx) => {
      const row = await findLoad(tx, groupId, sampleDatasetId);
      if (!row) throw sampleFaults.SAMPLE_DATASET_LOAD_NOT_FOUND(sampleDatasetId, groupId);
      return loadView(row);
    }),
});
