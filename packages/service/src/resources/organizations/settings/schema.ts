import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';

/** Returns the schema of a timeout in seconds. */
const seconds = (minimum: number, description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum, maximum: 43_200, description }), Type.Null()]));

const flag = (byDefault: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: byDefault, description }));

export const OrganizationSettings = entity(
  Type.Object(
    {
      apiAccessListRequired: flag(
        false,
        'Whether the service rejects API keys and service accounts that have no access list.',
      ),
      customSessionTimeouts: Type.Optional(
        Type.Union([
          Type.Object(
            {
              absoluteSessionTimeoutInSeconds: seconds(
                3600,
                'Seconds from the login to the end of a session.',
              ),
              idleSessionTimeoutInSeconds: seconds(
                300,
                'Seconds without requests after which a session ends.',
              ),
            },
            { description: 'Timeouts of sessions in the console. They are stored, but have no effect.' },
          ),
          Type.Null(),
        ]),
      ),
      genAIFeaturesEnabled: flag(
        true,
        'Whether generative AI features are enabled. The value is stored, but has no effect.',
      ),
      links: Links,
      maxServiceAccountSecretValidityInHours: Type.Optional(
        Type.Integer({
          minimum: 8,
          maximum: 8760,
          description: 'Maximum validity of new service account secrets, in hours; 8760 by default.',
        }),
      ),
      multiFactorAuthRequired: flag(
        false,
        'Whether members should need several factors to log in. The value is stored, but has no effect, since each user decides whether to use one-time codes.',
      ),
      operationsContact: Type.Optional(
        Type.Union([
          Type.String({
            format: 'email',
            maxLength: 254,
            description: 'Address for notices about the infrastructure. It is stored, but gets no mail.',
          }),
          Type.Null(),
        ]),
      ),
      restrictEmployeeAccess: flag(
        false,
        'Whether access by employees of the operator is restricted. The value is stored, but has no effect, since no employees have access.',
      ),
      securityContact: Type.Optional(
        Type.Union([
          Type.String({
            format: 'email',
            maxLength: 254,
            description: 'E-mail address for security matters. The value is stored, but has no effect.',
          }),
          Type.Null(),
        ]),
      ),
      streamsCrossGroupEnabled: flag(
        false,
        'Whether stream processors may connect to clusters of other projects. The value is stored, but has no effect.',
      ),
    },
    { description: 'Settings of an organization.' },
  ),
  { name: 'organizationSettings', self: 'getOrganizationSettings', params: () => ({}) },
);
