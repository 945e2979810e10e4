import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, ruled } from '../../../api/fields.ts';

const optional = Type.Optional;
const int32 = () => Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
/** Maximum number of items in one request. */
const MAX_ITEMS = 100;
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
    Type.Boolean({
      default: false,
      description: 'Whether copies of snapshots in other regions are protected from deletion.',
    }),
  ),
  deletable: readOnly(
    Type.Boolean({ description: 'Whether an operator has approved disabling the policy.' }),
  ),
  encryptionAtRestEnabled: optional(
    Type.Boolean({
      default: false,
      description: 'Whether every cluster must use encryption with a customer-managed key.',
    }),
  ),
  onDemandPolicyItem: optional(Type.Union([OnDemandItem, Type.Null()])),
  pitEnabled: optional(
    Type.Boolean({ default: false, description: 'Whether every cluster must have continuous backup.' }),
  ),
  projectId: optional(Id()),
  restoreWindowDays: optional(
    Type.Integer({
      minimum: -(2 ** 31),
      maximum: 2 ** 31 - 1,
      description: 'The restore window; at most the retention of the hourly item.',
    }),
  ),
  scheduledPolicyItems: optional(Type.Array(ScheduledItem, { maxItems: MAX_ITEMS })),
  state: readOnly(Choice(['ACTIVE', 'ENABLING', 'UPDATING', 'DISABLING'])),
  updatedDate: readOnly(DateTime()),
  updatedUser: readOnly(Type.String({ description: 'The caller that last changed the policy.' })),
};

const description = 'The minimum requirements for all backups of a project. They cannot be weakened.';

/** Versions before 2023-10-01 require only the address of the authorized user. */
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

/** Every field is optional, as the response is empty if the project has no policy. */
export const Policy = entity(
  Type.Object(
    {
      ...fields,
      copyProtectionEnabled: optional(Type.Boolean()),
      encryptionAtRestEnabled: optional(Type.Boolean()),
      pitEnabled: optional(Type.Boolean()),
      authorizedEmail: optional(email()),
      authorizedUserFirstName: optional(name()),
      authorizedUserLastName: optional(name()),
      links: Links,
    },
    { description },
  ),
  {
    name: 'backupCompliancePolicy',
    self: 'getDataProtectionSettings',
    params: () => ({}),
    mayBeEmpty: true,
  },
);

export const Disablement = Type.Object({
  deletable: Type.Boolean({ description: 'Whether owners of the project may disable the policy.' }),
});
