import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';

const flag = (byDefault: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: byDefault, description }));

export const OrganizationSettings = entity(
  Type.Object(
    {
      apiAccessListRequired: flag(false, 'Whether keys and accounts without an address list are refused.'),
      genAIFeaturesEnabled: flag(true, 'Kept and answered; nothing here depends on it.'),
      links: Links,
      maxServiceAccountSecretValidityInHours: Type.Optional(
        Type.Integer({ minimum: 8, maximum: 8760, description: 'The most that a new secret may live.' }),
      ),
      multiFactorAuthRequired: flag(false, 'Kept and answered; nobody logs in with a password yet.'),
      restrictEmployeeAccess: flag(false, 'Kept and answered; there are no employees to keep out.'),
      securityContact: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
      streamsCrossGroupEnabled: flag(false, 'Kept and answered; nothing here depends on it.'),
    },
    { description: 'What holds for all of an organization.' },
  ),
  { name: 'organizationSettings', self: 'getOrganizationSettings', params: () => ({}) },
);
