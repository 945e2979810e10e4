import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links, readOnly } from '../../../api/fields.ts';

const CustomerX509 = Type.Object(
  {
    cas: Type.Optional(
      Type.String({
        maxLength: 131_072,
        description: 'Certificates of the authorities as PEM text. An empty text removes the authorities.',
      }),
    ),
  },
  { description: 'Authorities that sign the certificates of database users whose x509Type is CUSTOMER.' },
);

const off = () => readOnly(Type.Boolean({ default: false }));

export const UserSecurity = entity(
  Type.Object(
    {
      customerX509: Type.Optional(CustomerX509),
      ldap: readOnly(
        Type.Object(
          { authenticationEnabled: off(), authorizationEnabled: off() },
          { description: 'LDAP is not supported.' },
        ),
      ),
      links: Links,
    },
    { description: 'Settings of a project for database users who log in without a password.' },
  ),
  { name: 'userSecurity', self: 'getUserSecurity', params: () => ({}) },
);

/** Omits LDAP settings, which would have no effect. */
export const UserSecurityUpdate = Type.Object({ customerX509: Type.Optional(CustomerX509) });
