import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../../api/fields.ts';
import { type IntegrationName, integrationKinds, integrationTypes } from './kinds.ts';

/** An integration in requests and responses. Its type determines which fields it has. */
export interface Integration {
  readonly id?: string;
  readonly type: IntegrationName;
  readonly [field: string]: unknown;
}

const fieldsOf = (name: IntegrationName) => ({
  type: Choice([name], { description: 'Type of the third-party service.' }),
  id: readOnly(Id()),
  links: Links,
  ...integrationKinds[name].fields,
});

export const Integration = entity(
  Type.Unsafe<Integration>({
    anyOf: integrationTypes.map((name) => Type.Object(fieldsOf(name))),
    description:
      'Settings of a third-party service that gets notifications of a project or monitors its clusters. Secrets are masked. The settings of services that only monitor clusters are stored, but have no effect.',
  }),
  { name: 'integration', self: 'getIntegration', params: ({ type }) => ({ integrationType: type }) },
);
