import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, Tag } from '../../../api/fields.ts';

const optional = Type.Optional;

const customData = optional(
  Type.Array(Tag, { maxItems: 100, description: 'Goes into the file that says that all is there.' }),
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
          description: 'Of a sharded cluster: the export of each of its shards.',
        }),
      ),
      createdAt: readOnly(DateTime()),
      customData: readOnly(Type.Array(Tag)),
      exportBucketId: readOnly(Id()),
      exportStatus: readOnly(Progress),
      finishedAt: readOnly(DateTime({ description: 'When it ended, well or not.' })),
      id: readOnly(Id()),
      links: Links,
      prefix: readOnly(Type.String({ description: 'What all names of the exported files begin with.' })),
      snapshotId: readOnly(Id()),
      state: readOnly(Choice(['Cancelled', 'Failed', 'InProgress', 'Queued', 'Successful'])),
      stateReason: readOnly(Type.Object({ errorCode: Type.String(), message: Type.String() })),
    },
    { description: 'A snapshot on its way into a bucket.' },
  ),
  { name: 'exportJob', self: 'getBackupExportJob', params: ({ id = '' }) => ({ exportId: id }) },
);

export const ExportRequest = Type.Object({
  customData,
  exportBucketId: Id(),
  links: Links,
  snapshotId: Id(),
});
