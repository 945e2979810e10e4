import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';
import { archiveStates } from './states.ts';

const optional = Type.Optional;
const integer = (minimum: number, maximum: number, description: string) =>
  optional(Type.Integer({ minimum, maximum, description }));

export const dateFormats = [
  'ISODATE',
  'EPOCH_SECONDS',
  'EPOCH_MILLIS',
  'EPOCH_NANOSECONDS',
  'OBJECT_ID',
] as const;

const Criteria = Type.Object(
  {
    dateField: optional(
      Type.String({
        minLength: 1,
        maxLength: 700,
        description: 'Name of the field with the date; only for the type `DATE`.',
      }),
    ),
    dateFormat: optional(
      Choice(dateFormats, {
        description:
          'Type of the values of `dateField`: a date, a number of seconds, milliseconds or nanoseconds since 1970, or an ObjectId. By default `ISODATE`. Only for the type `DATE`.',
      }),
    ),
    expireAfterDays: integer(
      0,
      36_500,
      'Age in days from which a document is moved; only for the type `DATE`.',
    ),
    query: optional(
      Type.String({
        maxLength: 65_536,
        description:
          'Filter that selects the documents to move, as Extended JSON; only for the type `CUSTOM`. It must not be empty.',
      }),
    ),
    type: optional(
      Choice(['DATE', 'CUSTOM'], {
        description:
          '`DATE`: documents of a certain age are moved. `CUSTOM`: documents that match a filter are moved. By default `DATE`.',
      }),
    ),
  },
  { description: 'The rule that selects the documents to move.' },
);
export type Criteria = Type.Static<typeof Criteria>;

const Expiration = Type.Object(
  {
    expireAfterDays: optional(
      Type.Integer({
        minimum: 1,
        maximum: 9215,
        description: 'Number of days after which an archived file is deleted from the bucket.',
      }),
    ),
  },
  {
    description:
      'The rule that deletes archived files. Without the rule, files are kept. An empty rule removes the rule.',
  },
);
export type Expiration = Type.Static<typeof Expiration>;

const ProcessRegion = Type.Object(
  {
    cloudProvider: optional(Choice(['AWS', 'AZURE', 'GCP'])),
    region: optional(Type.String({ maxLength: 64, description: 'Name of the region.' })),
  },
  {
    description:
      'Region of the archive; by default the first region of the cluster. It has no effect: the export bucket determines where documents are stored.',
  },
);
export type ProcessRegion = Type.Static<typeof ProcessRegion>;

const Partition = Type.Object({
  fieldName: Type.String({ minLength: 1, maxLength: 700, description: 'Name of the field.' }),
  fieldType: optional(
    Type.Union([Choice(['date', 'int', 'long', 'objectId', 'string', 'uuid']), Type.Null()], {
      description: 'Type of the field, as the request contained it; null if the request omitted it.',
    }),
  ),
  order: Type.Integer({
    minimum: 0,
    maximum: 2,
    description: 'Position of the field in the list of these fields, counted from 0.',
  }),
});
export type Partition = Type.Static<typeof Partition>;

const Schedule = Type.Object(
  {
    dayOfMonth: integer(1, 31, 'Day of the month on which the window begins; only for the type `MONTHLY`.'),
    dayOfWeek: integer(
      1,
      7,
      'Day of the week on which the window begins, from Monday (1) to Sunday (7); only for the type `WEEKLY`.',
    ),
    endHour: integer(0, 23, 'Hour at which the window ends, in UTC.'),
    endMinute: integer(0, 59, 'Minute at which the window ends.'),
    startHour: integer(0, 23, 'Hour at which the window begins, in UTC.'),
    startMinute: integer(0, 59, 'Minute at which the window begins.'),
    type: Choice(['DEFAULT', 'DAILY', 'WEEKLY', 'MONTHLY'], {
      description:
        '`DEFAULT`: the service moves documents every five minutes. Other types: it moves them only during a daily, weekly or monthly window.',
    }),
  },
  {
    description:
      'When documents are moved: at any time, or only during a window that is repeated every day, week or month. A window lasts at least two hours. If its end is not later than its beginning, it ends on the next day.',
  },
);
export type Schedule = Type.Static<typeof Schedule>;

const changeable = {
  criteria: optional(Criteria),
  dataExpirationRule: optional(Expiration),
  partitionFields: optional(
    Type.Array(Partition, {
      maxItems: 3,
      description: 'Fields by which the archive is divided. They have no effect on the files.',
    }),
  ),
  paused: optional(
    Type.Boolean({ description: 'Whether the archive is paused. A paused archive moves no documents.' }),
  ),
  schedule: optional(Schedule),
};

const collectionType = Choice(['STANDARD', 'TIMESERIES'], {
  default: 'STANDARD',
  description: 'Kind of the collection. Only `STANDARD` is supported.',
});
const collectionName = { minLength: 1, maxLength: 255, description: 'Name of the collection.' };
const databaseName = { minLength: 1, maxLength: 64, description: 'Name of the database.' };

const description =
  'An online archive: a rule by which documents are moved from a collection to an export bucket.';

export const Archive = entity(
  Type.Object(
    {
      _id: readOnly(Id()),
      clusterName: readOnly(Type.String({ description: 'Name of the cluster.' })),
      collName: readOnly(Type.String(collectionName)),
      collectionType: readOnly(collectionType),
      ...changeable,
      dataProcessRegion: readOnly(ProcessRegion),
      dbName: readOnly(Type.String(databaseName)),
      groupId: readOnly(Id()),
      links: Links,
      state: readOnly(
        Choice(archiveStates, {
          description:
            'State of the archive. `PENDING`: no documents have been moved yet, or the project has no export bucket. `ORPHANED`: the collection no longer exists.',
        }),
      ),
    },
    { description },
  ),
  {
    name: 'onlineArchive',
    self: 'getOnlineArchive',
    params: ({ _id = '' }: { readonly _id?: string | undefined }) => ({ archiveId: _id }),
  },
);

export const NewArchive = Type.Object(
  {
    ...changeable,
    collName: Type.String(collectionName),
    collectionType: optional(collectionType),
    criteria: Criteria,
    dataProcessRegion: optional(ProcessRegion),
    dbName: Type.String(databaseName),
  },
  { description },
);
export type NewArchive = Type.Static<typeof NewArchive>;

export const ArchiveUpdate = Type.Object(
  {
    ...changeable,
    state: optional(
      Choice(['ACTIVE', 'PAUSED', 'PAUSING'], {
        description: '`ACTIVE` resumes the archive, as `"paused": false` does. The other values pause it.',
      }),
    ),
  },
  { description: 'Changes of an online archive. Omitted fields keep their values.' },
);
export type ArchiveUpdate = Type.Static<typeof ArchiveUpdate>;
