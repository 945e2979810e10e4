import Type from 'typebox';
import { Choice, DateTime, Id, readOnly, ruled } from '../../../api/fields.ts';

const optional = Type.Optional;
const int32 = () => Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
/** Of the list of items: more than anybody needs. */
const LONGEST = 100;
const email = () => Type.String({ format: 'email', maxLength: 254 });
const name = () => Type.String({ maxLength: 254 });

const retention = {
  retentionUnit: ruled(Type.String(), { enum: ['days', 'weeks', 'months', 'years'] }),
  retentionValue: ruled(int32(), { minimum: 1 }),
};

const OnDemandItem = Type.Object({
  frequencyInterval: int32(),
  frequencyType: Choice(['ondemand']),
  id: readOnly(Id()),
  ...retention,
});

const ScheduledItem = Type.Object({
  frequencyInterval: int32(),
  frequencyType: Choice(['daily', 'hourly', 'weekly', 'monthly', 'yearly']),
  id: readOnly(Id()),
  ...retention,
});

const fields = {
  copyProtectionEnabled: optional(
    Type.Boolean({ default: false, description: 'Copies in other regions cannot be deleted.' }),
  ),
  deletable: readOnly(Type.Boolean({ description: 'Whether the operator has allowed to end the policy.' })),
  encryptionAtRestEnabled: optional(
    Type.Boolean({ default: false, description: 'Every cluster is encrypted with a key of the customer.' }),
  ),
  onDemandPolicyItem: optional(Type.Union([OnDemandItem, Type.Null()])),
  pitEnabled: optional(Type.Boolean({ default: false, description: 'Every cluster has continuous backup.' })),
  projectId: optional(Id()),
  restoreWindowDays: optional(
    Type.Integer({
      minimum: -(2 ** 31),
      maximum: 2 ** 31 - 1,
      description: 'At most what the hourly item keeps.',
    }),
  ),
  scheduledPolicyItems: optional(Type.Array(ScheduledItem, { maxItems: LONGEST })),
  state: readOnly(Choice(['ACTIVE', 'ENABLING', 'UPDATING', 'DISABLING'])),
  updatedDate: readOnly(DateTime()),
  updatedUser: readOnly(Type.String({ description: 'Who has changed it last.' })),
};

const description = 'What all backups of a project have to be, and nobody may weaken.';

/** Until 2023-10-01 an address was enough. */
export const FormerPolicyBody = Type.Object({
  ...fields,
  authorizedEmail: email(),
  authorizedUserFirstName: optional(name()),
  authorizedUserLastName: optional(name()),
});

export const PolicyBody = Type.Object({
  ...fields,
  authorizedEmail: email(),
  authorizedUserFirstName: name(),
  authorizedUserLastName: name(),
});
export type PolicyBody = Type.Static<typeof FormerPolicyBody>;

/** Without defaults: it is empty where a project has none. */
export const Policy = Type.Object(
  {
    ...fields,
    copyProtectionEnabled: optional(Type.Boolean()),
    encryptionAtRestEnabled: optional(Type.Boolean()),
    pitEnabled: optional(Type.Boolean()),
    authorizedEmail: optional(email()),
    authorizedUserFirstName: optional(name()),
    authorizedUserLastName: optional(name()),
  },
  { description },
);

export const Disablement = Type.Object({
  deletable: Type.Boolean({ description: 'Whether owners of the project may end the policy.' }),
});
