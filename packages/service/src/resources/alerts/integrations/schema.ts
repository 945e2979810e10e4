import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../../api/fields.ts';
import { type NotificationName, notificationKinds, notificationNames } from '../notifications/kinds.ts';

/** Services that a project can have an integration of: those whose credentials a notification may leave out. */
export const integrationTypes: readonly NotificationName[] = notificationNames.filter(
  (name) => notificationKinds[name].byIntegration,
);

/** An integration as requests and answers have it; the fields follow from its type. */
export interface Integration {
  readonly id?: string;
  readonly type: NotificationName;
  readonly [field: string]: unknown;
}

const fieldsOf = (name: NotificationName) => ({
  type: Choice([name]),
  id: readOnly(Id()),
  links: Links,
  ...notificationKinds[name].fields,
});

export const Integration = entity(
  Type.Unsafe<Integration>({
    anyOf: integrationTypes.map((name) => Type.Object(fieldsOf(name))),
    description:
      'The credentials of a project at another service, for its notifications. Secrets are masked.',
  }),
  { name: 'integration', self: 'getIntegration', params: ({ type }) => ({ integrationType: type }) },
);
