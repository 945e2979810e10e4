import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, ignored, Links, readOnly, ruled } from '../../../api/fields.ts';

const optional = Type.Optional;
const int32 = (options: object = {}) =>
  Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, ...options });

/** Maximum number of elements of a list in a request. */
const MAX_ITEMS = 100;

const Providers = Choice(['AWS', 'AZURE', 'GCP']);
const CopiedFrequencies = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'ON_DEMAND'] as const;

const PolicyItem = ruled(
  Type.Object({
    frequencyInterval: optional(int32()),
    frequencyType: optional(
      Choice(['daily', 'hourly', 'weekly', 'monthly', 'yearly', 'ondemand'], {
        description: 'How often snapshots are taken.',
      }),
    ),
    id: optional(Id({ description: 'Id of the item. A request that adds an item omits the id.' })),
    retentionUnit: optional(ruled(Type.String(), { enum: ['days', 'weeks', 'months', 'years'] })),
    retentionValue: optional(ruled(int32(), { minimum: 1 })),
  }),
  { required: ['frequencyInterval', 'frequencyType', 'retentionUnit', 'retentionValue'] },
);
export type PolicyItemBody = Type.Static<typeof PolicyItem>;

const Policy = Type.Object({
  id: optional(Id({ description: 'Id of the policy.' })),
  policyItems: optional(
    Type.Array(PolicyItem, {
      maxItems: MAX_ITEMS,
      description: 'Items of the schedule. The list in a request replaces the previous list.',
    }),
  ),
});

const place = { cloudProvider: optional(Providers), regionName: optional(Type.String()) };
const copy = {
  ...place,
  frequencies: optional(
    Type.Array(Choice(CopiedFrequencies), {
      maxItems: MAX_ITEMS,
      description:
        'Which snapshots are copied, by the frequency of their schedule item; `ON_DEMAND` for on-demand snapshots.',
    }),
  ),
  shouldCopyOplogs: optional(
    Type.Boolean({ description: 'Whether the oplog is copied too. Requires continuous backup.' }),
  ),
};

const copied = {
  maxItems: MAX_ITEMS,
  description:
    'Regions to which the service copies snapshots. The list in a request replaces the previous list.',
};
const deleted = {
  maxItems: MAX_ITEMS,
  writeOnly: true,
  description: 'Regions in which the request deletes existing copies of snapshots.',
};

const formerZone = {
  replicationSpecId: optional(
    Type.String({ maxLength: 64, description: 'Id of the replication spec of the zone.' }),
  ),
};

const fields = {
  autoExportEnabled: optional(
    Type.Boolean({ description: 'Whether snapshots are exported automatically. Requires `export`.' }),
  ),
  clusterId: readOnly(ignored(Id())),
  clusterName: readOnly(Type.String()),
  export: optional(
    Type.Object(
      {
        exportBucketId: optional(Id()),
        frequencyType: optional(
          Choice(['monthly', 'yearly'], { description: 'Frequency of the snapshots that are exported.' }),
        ),
      },
      { description: 'Which snapshots are exported automatically, and to which bucket.' },
    ),
  ),
  extraRetentionSettings: optional(
    Type.Array(
      Type.Object({
        frequencyType: Choice(CopiedFrequencies, {
          description: 'Frequency of the snapshots to which the entry applies.',
        }),
        retentionDays: ruled(
          int32({
            description:
              'Number of days for which snapshots of this frequency are kept in addition to their retention in the schedule.',
          }),
          {
            minimum: 1,
          },
        ),
      }),
      {
        maxItems: MAX_ITEMS,
        description: 'Additional retention of snapshots, with one entry for each frequency.',
      },
    ),
  ),
  links: Links,
  nextSnapshot: readOnly(ignored(DateTime({ description: 'Time of the next scheduled snapshot.' }))),
  policies: optional(
    ruled(
      Type.Array(Policy, {
        maxItems: MAX_ITEMS,
        description: 'The policy of the schedule. The list has exactly one entry.',
      }),
      {
        minItems: 1,
        maxItems: 1,
      },
    ),
  ),
  referenceHourOfDay: optional(
    ruled(int32({ description: 'Hour of the day, in UTC, at which snapshots are due.' }), {
      minimum: 0,
      maximum: 23,
    }),
  ),
  referenceMinuteOfHour: optional(
    ruled(int32({ description: 'Minute of the hour at which snapshots are due.' }), {
      minimum: 0,
      maximum: 59,
    }),
  ),
  restoreWindowDays: optional(
    ruled(
      int32({
        description:
          'Length of the restore window in days. The cluster can be restored to any second in this window.',
      }),
      {
        minimum: 1,
      },
    ),
  ),
  updateSnapshots: optional(
    Type.Boolean({
      writeOnly: true,
      description: 'Whether a changed retention also applies to existing snapshots.',
    }),
  ),
  useOrgAndGroupNamesInExportPrefix: optional(
    Type.Boolean({
      description:
        'Whether the paths of exported files contain the names of the organization and the project instead of their ids.',
    }),
  ),
};

const rule = { name: 'backupSchedule', self: 'getBackupSchedule', params: () => ({}) };
const description = 'The backup schedule of a cluster: when snapshots are taken, and how long they are kept.';

export const BackupSchedule = entity(
  Type.Object(
    {
      ...fields,
      copySettings: optional(Type.Array(Type.Object({ ...copy, zoneId: Id() }), copied)),
      deleteCopiedBackups: optional(Type.Array(Type.Object({ ...place, zoneId: optional(Id()) }), deleted)),
    },
    { description },
  ),
  rule,
);
export type BackupSchedule = Type.Static<typeof BackupSchedule>;

/** In versions before 2024-08-05, a zone is identified by the id of its replication spec. */
export const FormerSchedule = entity(
  Type.Object(
    {
      ...fields,
      copySettings: optional(Type.Array(Type.Object({ ...copy, ...formerZone }), copied)),
      deleteCopiedBackups: optional(Type.Array(Type.Object({ ...place, ...formerZone }), deleted)),
    },
    { description },
  ),
  rule,
);
export type FormerSchedule = Type.Static<typeof FormerSchedule>;
