import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../../api/fields.ts';
import { type NotificationName, notificationKinds, notificationNames } from '../notifications/kinds.ts';

/** The services with integrations: those whose credentials a notification may omit. */
export const integrationTypes: readonly NotificationName[] = notificationNames.filter(
  (name) => notificationKinds[name].byIntegration,
);

/** An integration in requests and responses; its type determines the fields. */
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
    description: 'Credentials at a third-party service for notifications of a project. Secrets are masked.',
  }),
  { name: 'integration', self: 'getIntegration', params: ({ type }) => ({ integrationType: type }) },
);
