import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, Tag } from '../../../api/fields.ts';

const optional = Type.Optional;

const customData = optional(
  Type.Array(Tag, {
    maxItems: 100,
    description: 'Key-value pairs that the export writes to its last file, `.complete`.',
  }),
);

const Progress = Type.Object({
  exportedCollections: Type.Integer({ description: 'Number of exported collections so far.' }),
  totalCollections: Type.Integer({ description: 'Number of collections to export.' }),
});

export const ExportJob = entity(
  Type.Object(
    {
      components: readOnly(
        Type.Array(Type.Object({ exportId: Id(), replicaSetName: Type.String() }), {
          description: 'Parts of the export, one for each shard; only for sharded clusters.',
        }),
      ),
      createdAt: readOnly(DateTime()),
      customData: readOnly(
        Type.Array(Tag, {
          description: 'Key-value pairs that the export writes to its last file, `.complete`.',
        }),
      ),
      exportBucketId: readOnly(Id()),
      exportStatus: readOnly(Progress),
      finishedAt: readOnly(DateTime({ description: 'Time at which the export succeeded or failed.' })),
      id: readOnly(Id()),
      links: Links,
      prefix: readOnly(Type.String({ description: 'Prefix of the object keys of all exported files.' })),
      snapshotId: readOnly(Id()),
      state: readOnly(
        Choice(['Cancelled', 'Failed', 'InProgress', 'Queued', 'Successful'], {
          description: 'State of the export. `Cancelled`: the cluster was deleted.',
        }),
      ),
      stateReason: readOnly(Type.Object({ errorCode: Type.String(), message: Type.String() })),
    },
    { description: 'An export job: an export of a snapshot to a bucket.' },
  ),
  { name: 'exportJob', self: 'getBackupExportJob', params: ({ id = '' }) => ({ exportId: id }) },
);

export const ExportRequest = Type.Object({
  customData,
  exportBucketId: Id(),
  links: Links,
  snapshotId: Id(),
});
