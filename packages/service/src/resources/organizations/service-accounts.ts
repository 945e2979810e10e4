import Type from 'typebox';
import { orgRoles } from '../../access/index.ts';
import { Choice, DateTime, Id } from '../../api/fields.ts';

const optional = Type.Optional;

/** The characters that docs/contract/access.md 1.3 permits. */
const TEXT = "^[\\p{L}\\p{N}\\-_.,' ]*$";

/** What callers choose about a new service account, apart from its roles. */
export const serviceAccountFields = {
  description: Type.String({ minLength: 1, maxLength: 250, pattern: TEXT }),
  name: Type.String({ minLength: 1, maxLength: 64, pattern: TEXT }),
  secretExpiresAfterHours: Type.Integer({
    minimum: 8,
    maximum: 8760,
    description: 'Validity of the secret in hours. The settings of the organization can limit it.',
  }),
};

export const ServiceAccountSecret = Type.Object({
  createdAt: DateTime(),
  expiresAt: optional(
    DateTime({ description: 'Time at which the secret expires; absent if it does not expire.' }),
  ),
  id: Id(),
  lastUsedAt: optional(
    DateTime({ description: 'Time at which the secret was last used to request a token.' }),
  ),
  maskedSecretValue: optional(Type.String()),
  secret: optional(
    Type.String({
      description:
        'The complete secret. Only the response to the creation of the secret contains this field.',
    }),
  ),
});

/** The service account with which an organization is created. */
export const FirstServiceAccount = Type.Object({
  ...serviceAccountFields,
  roles: Type.Array(Choice(orgRoles), { minItems: 1, maxItems: 100 }),
});
export type FirstServiceAccount = Type.Static<typeof FirstServiceAccount>;

/** The service account in the response to its creation, with its secret in clear text. */
export const CreatedServiceAccount = Type.Object({
  clientId: Type.String({ description: 'Client id that the service account uses to request access tokens.' }),
  createdAt: DateTime(),
  description: Type.String(),
  name: Type.String(),
  roles: Type.Array(Choice(orgRoles)),
  secrets: Type.Array(ServiceAccountSecret),
});
