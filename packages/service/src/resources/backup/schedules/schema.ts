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
    frequencyInterval: optional(
      int32({
        description:
          'Depends on frequencyType. hourly: 1, 2, 4, 6, 8 or 12 hours. daily: 1. weekly: 1 (Monday) to 7. monthly: day 1 to 28, or 40 for the last day. yearly: month 1 to 12, on its first day.',
      }),
    ),
    frequencyType: optional(Choice(['daily', 'hourly', 'weekly', 'monthly', 'yearly', 'ondemand'])),
    id: optional(Id({ description: 'The id of an existing item; omitted for a new one.' })),
    retentionUnit: optional(ruled(Type.String(), { enum: ['days', 'weeks', 'months', 'years'] })),
    retentionValue: optional(ruled(int32(), { minimum: 1 })),
  }),
  { required: ['frequencyInterval', 'frequencyType', 'retentionUnit', 'retentionValue'] },
);
export type PolicyItemBody = Type.Static<typeof PolicyItem>;

const Policy = Type.Object({
  id: optional(Id()),
  policyItems: optional(Type.Array(PolicyItem, { maxItems: MAX_ITEMS })),
});

const place = { cloudProvider: optional(Providers), regionName: optional(Type.String()) };
const copy = {
  ...place,
  frequencies: optional(Type.Array(Choice(CopiedFrequencies), { maxItems: MAX_ITEMS })),
  shouldCopyOplogs: optional(Type.Boolean()),
};

const copied = {
  maxItems: MAX_ITEMS,
  description: 'Which snapshots are copied to other regions of the provider. Omitted settings are removed.',
};
const deleted = { maxItems: MAX_ITEMS, writeOnly: true, description: 'Regions whose copies are deleted.' };

const formerZone = { replicationSpecId: optional(Type.String()) };

const fields = {
  autoExportEnabled: optional(Type.Boolean()),
  clusterId: readOnly(ignored(Id())),
  clusterName: readOnly(Type.String()),
  export: optional(
    Type.Object({
      exportBucketId: optional(Id()),
      frequencyType: optional(Choice(['monthly', 'yearly'])),
    }),
  ),
  extraRetentionSettings: optional(
    Type.Array(
      Type.Object({
        frequencyType: Choice(CopiedFrequencies),
        retentionDays: ruled(int32({ description: 'The number of days added to the retention.' }), {
          minimum: 1,
        }),
      }),
      { maxItems: MAX_ITEMS },
    ),
  ),
  links: Links,
  nextSnapshot: readOnly(ignored(DateTime())),
  policies: optional(ruled(Type.Array(Policy, { maxItems: MAX_ITEMS }), { minItems: 1, maxItems: 1 })),
  referenceHourOfDay: optional(
    ruled(int32({ description: 'The hour in UTC at which all items are due.' }), { minimum: 0, maximum: 23 }),
  ),
  referenceMinuteOfHour: optional(ruled(int32(), { minimum: 0, maximum: 59 })),
  restoreWindowDays: optional(ruled(int32(), { minimum: 1 })),
  updateSnapshots: optional(
    Type.Boolean({
      writeOnly: true,
      description: 'Whether the new retention also applies to existing snapshots.',
    }),
  ),
  useOrgAndGroupNamesInExportPrefix: optional(Type.Boolean()),
};

const rule = { name: 'backupSchedule', self: 'getBackupSchedule', params: () => ({}) };
const description = 'When snapshots of a cluster are taken, and how long they are retained.';

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

/** Versions before 2024-08-05 identify zones by the ids of their replication specs. */
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
