import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../../api/fields.ts';
import { type NotificationName, notificationKinds, notificationNames } from '../notifications/kinds.ts';

/** The services with integrations. A notification of one of these types may omit its credentials. */
export const integrationTypes: readonly NotificationName[] = notificationNames.filter(
  (name) => notificationKinds[name].byIntegration,
);

/** An integration in requests and responses. Its type determines which fields it has. */
export interface Integration {
  readonly id?: string;
  readonly type: NotificationName;
  readonly [field: string]: unknown;
}

const fieldsOf = (name: NotificationName) => ({
  type: Choice([name], { description: 'Type of the third-party service.' }),
  id: readOnly(Id()),
  links: Links,
  ...notificationKinds[name].fields,
});

export const Integration = entity(
  Type.Unsafe<Integration>({
    anyOf: integrationTypes.map((name) => Type.Object(fieldsOf(name))),
    description:
      'Credentials for a third-party service to which a project sends notifications. Secrets are masked.',
  }),
  { name: 'integration', self: 'getIntegration', params: ({ type }) => ({ integrationType: type }) },
);
