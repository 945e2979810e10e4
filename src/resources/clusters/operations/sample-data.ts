import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Links, readOnly } from '../../../api/fields.ts';
import { faults } from '../../../runtime/faults.ts';
import { enqueue } from '../../../tasks/index.ts';
import { operation } from '../../services.ts';
import { recordOn, taskOf } from '../lifecycle/changes.ts';
import { clusterFaults } from '../model/faults.ts';
import { findCluster } from '../rows.ts';
import { findLoad, insertLoad, type LoadRow } from '../sample-data/rows.ts';
import { LOAD } from '../sample-data/tasks.ts';

export const sampleFaults = faults({
  SAMPLE_DATASET_LOAD_NOT_FOUND: [404, 'No load of the sample data with the id {0} exists in group {1}.'],
});

const tag = 'Clusters';

const SampleDatasetStatus = entity(
  Type.Object(
    {
      _id: readOnly(Type.String()),
      clusterName: readOnly(Type.String()),
      completeDate: readOnly(DateTime()),
      createDate: readOnly(DateTime()),
      errorMessage: readOnly(Type.String({ description: 'Why it failed.' })),
      links: Links,
      state: readOnly(Choice(['WORKING', 'COMPLETED', 'FAILED'])),
    },
    { description: 'A few hundred documents of different shapes on their way into a cluster.' },
  ),
  {
    name: 'sampleDatasetLoad',
    self: 'getSampleDatasetLoadStatus',
    params: (load) => ({ sampleDatasetId: load._id ?? '' }),
  },
);

const present = (row: LoadRow) => ({
  _id: row.id,
  clusterName: row.clusterName,
  createDate: row.created,
  state: row.state,
  ...(row.completed === undefined ? {} : { completeDate: row.completed }),
  ...(row.message === undefined ? {} : { errorMessage: row.message }),
});

export const loadSampleDataset = operation({
  id: 'loadSampleDataset',
  summary: 'Writes the sample data into a cluster; what is there under the same ids is written over.',
  tag,
  method: 'POST',
  path: '/groups/{groupId}/sampleDatasetLoad/{name}',
  access: 'Project Owner',
  reply: SampleDatasetStatus,
  status: 201,
  handler({ params: { groupId, name }, write, actor }) {
    return write(async (tx) => {
      const cluster = await findCluster(tx, groupId, name);
      if (!cluster) throw clusterFaults.CLUSTER_NOT_FOUND(name, groupId);
      if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(name);
      if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(name);
      const row: LoadRow = {
        id: tx.id(),
        groupId,
        clusterName: name,
        state: 'WORKING',
        created: tx.now,
        completed: undefined,
        message: undefined,
      };
      await insertLoad(tx, row);
      await recordOn(tx, cluster, 'SAMPLE_DATASET_LOAD_INITIATED', actor);
      const { payload, ...task } = taskOf(cluster);
      await enqueue(tx, LOAD, { ...task, payload: { ...payload, loadId: row.id } });
      return present(row);
    });
  },
});

export const getSampleDatasetLoadStatus = operation({
  id: 'getSampleDatasetLoadStatus',
  summary: 'Answers how far a load of the sample data is.',
  tag,
  method: 'GET',
  path: '/groups/{groupId}/sampleDatasetLoad/{sampleDatasetId}',
  access: 'Project Owner',
  reply: SampleDatasetStatus,
  status: 200,
  handler: ({ params: { groupId, sampleDatasetId }, read }) =>
    read(async (tx) => {
      const row = await findLoad(tx, groupId, sampleDatasetId);
      if (!row) throw sampleFaults.SAMPLE_DATASET_LOAD_NOT_FOUND(sampleDatasetId, groupId);
      return present(row);
    }),
});
