import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, Tag } from '../../../api/fields.ts';

const optional = Type.Optional;

const customData = optional(
  Type.Array(Tag, { maxItems: 100, description: 'Labels for the file `.complete`, which is written last.' }),
);

const Progress = Type.Object({
  exportedCollections: Type.Integer(),
  totalCollections: Type.Integer(),
});

export const ExportJob = entity(
  Type.Object(
    {
      components: readOnly(
        Type.Array(Type.Object({ exportId: Id(), replicaSetName: Type.String() }), {
          description: 'Sharded clusters only: the job of each shard.',
        }),
      ),
      createdAt: readOnly(DateTime()),
      customData: readOnly(Type.Array(Tag)),
      exportBucketId: readOnly(Id()),
      exportStatus: readOnly(Progress),
      finishedAt: readOnly(DateTime({ description: 'When the export ended, successfully or not.' })),
      id: readOnly(Id()),
      links: Links,
      prefix: readOnly(Type.String({ description: 'The key prefix of all exported files.' })),
      snapshotId: readOnly(Id()),
      state: readOnly(Choice(['Cancelled', 'Failed', 'InProgress', 'Queued', 'Successful'])),
      stateReason: readOnly(Type.Object({ errorCode: Type.String(), message: Type.String() })),
    },
    { description: 'An export of a snapshot to a bucket.' },
  ),
  { name: 'exportJob', self: 'getBackupExportJob', params: ({ id = '' }) => ({ exportId: id }) },
);

export const ExportRequest = Type.Object({
  customData,
  exportBucketId: Id(),
  links: Links,
  snapshotId: Id(),
});
