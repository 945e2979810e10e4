import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, ruled } from '../../../api/fields.ts';

const optional = Type.Optional;
const int32 = (options: object = {}) =>
  Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, ...options });
/** Maximum number of items in one request. */
const MAX_ITEMS = 100;
const email = () =>
  Type.String({
    format: 'email',
    maxLength: 254,
    description: 'E-mail address of the person who authorized the policy.',
  });
const name = (part: 'First' | 'Last') =>
  Type.String({ maxLength: 254, description: `${part} name of the person who authorized the policy.` });

const retention = {
  retentionUnit: ruled(Type.String(), { enum: ['days', 'weeks', 'months', 'years'] }),
  retentionValue: ruled(int32(), { minimum: 1 }),
};

const OnDemandItem = Type.Object({
  frequencyInterval: int32({
    description: 'A number from 0 to 40. It has no effect on on-demand snapshots.',
  }),
  frequencyType: Choice(['ondemand'], { description: 'Always `ondemand`.' }),
  id: readOnly(Id()),
  ...retention,
});

const ScheduledItem = Type.Object({
  frequencyInterval: int32(),
  frequencyType: Choice(['daily', 'hourly', 'weekly', 'monthly', 'yearly'], {
    description: 'How often snapshots are taken.',
  }),
  id: readOnly(Id()),
  ...retention,
});

const fields = {
  copyProtectionEnabled: optional(
    Type.Boolean({
      default: false,
      description: 'Whether the policy prevents the deletion of snapshot copies in other regions.',
    }),
  ),
  deletable: readOnly(
    Type.Boolean({ description: 'Whether the operator allows project owners to disable the policy.' }),
  ),
  encryptionAtRestEnabled: optional(
    Type.Boolean({
      default: false,
      description: 'Whether every cluster must use encryption with a customer-managed key.',
    }),
  ),
  onDemandPolicyItem: optional(
    Type.Union([OnDemandItem, Type.Null()], { description: 'Minimum retention of on-demand snapshots.' }),
  ),
  pitEnabled: optional(
    Type.Boolean({ default: false, description: 'Whether every cluster must have continuous backup.' }),
  ),
  projectId: optional(Id()),
  restoreWindowDays: optional(
    Type.Integer({
      minimum: -(2 ** 31),
      maximum: 2 ** 31 - 1,
      description:
        'Minimum restore window in days. It cannot be longer than the retention of the hourly policy item.',
    }),
  ),
  scheduledPolicyItems: optional(
    Type.Array(ScheduledItem, {
      maxItems: MAX_ITEMS,
      description: 'Items that every backup schedule must contain, with their minimum retention.',
    }),
  ),
  state: readOnly(
    Choice(['ACTIVE', 'ENABLING', 'UPDATING', 'DISABLING'], {
      description:
        '`ACTIVE`: the policy is in effect. Other values: the service is carrying out a change of the policy.',
    }),
  ),
  updatedDate: readOnly(DateTime()),
  updatedUser: readOnly(
    Type.String({ description: 'User name or key of the caller that last changed the policy.' }),
  ),
};

const description =
  'A backup compliance policy: minimum requirements for all backups of a project. Updates can only make it stricter.';

/** Versions before 2023-10-01 require only the address of the authorized user, not the name. */
export const FormerPolicyBody = Type.Object({
  ...fields,
  authorizedEmail: email(),
  authorizedUserFirstName: optional(name('First')),
  authorizedUserLastName: optional(name('Last')),
});

export const PolicyBody = Type.Object({
  ...fields,
  authorizedEmail: email(),
  authorizedUserFirstName: name('First'),
  authorizedUserLastName: name('Last'),
});
export type PolicyBody = Type.Static<typeof FormerPolicyBody>;

/** Every field is optional, since the response is empty for a project without a policy. */
export const Policy = entity(
  Type.Object(
    {
      ...fields,
      copyProtectionEnabled: optional(Type.Boolean()),
      encryptionAtRestEnabled: optional(Type.Boolean()),
      pitEnabled: optional(
        Type.Boolean({ description: 'Whether every cluster must have continuous backup.' }),
      ),
      authorizedEmail: optional(email()),
      authorizedUserFirstName: optional(name('First')),
      authorizedUserLastName: optional(name('Last')),
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
  deletable: Type.Boolean({ description: 'Whether project owners may disable the policy.' }),
});
