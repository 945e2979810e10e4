import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';

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

const off = (what: string) =>
  Type.Optional(
    Type.Boolean({ default: false, description: `Whether users ${what} by LDAP. Must be false.` }),
  );
const text = (description: string, maxLength = 2048) =>
  Type.Optional(Type.String({ maxLength, description }));

const UserToDNMapping = Type.Object(
  {
    ldapQuery: text('Template of a query that finds the distinguished name.'),
    match: Type.String({ maxLength: 2048, description: 'Regular expression that matches user names.' }),
    substitution: text('Template of the distinguished name.'),
  },
  { description: 'A rule that maps user names to distinguished names.' },
);

const ldap = {
  authenticationEnabled: off('log in'),
  authorizationEnabled: off('get their roles'),
  authzQueryTemplate: text('Template of the query for the groups of a user.'),
  bindUsername: text('Distinguished name with which the service queries the directory.'),
  caCertificate: text(
    'Certificate of the certificate authority that issued the certificate of the LDAP server, as PEM text.',
    131_072,
  ),
  // The pattern excludes URLs, since they could contain a password.
  hostname: Type.Optional(
    Type.String({
      maxLength: 2048,
      pattern: '^[\\w.:-]*$',
      description: 'Name or address of the directory.',
    }),
  ),
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, format: 'int32', description: 'Port of the directory.' }),
  ),
  userToDNMapping: Type.Optional(
    Type.Array(UserToDNMapping, {
      maxItems: 100,
      description: 'Rules that map user names to distinguished names. The first rule that matches applies.',
    }),
  ),
};

/** Settings of a directory, which are stored but have no effect. */
const Directory = Type.Object(ldap, {
  description: 'Settings of an LDAP directory. They are stored, but users do not log in by LDAP.',
});
export type Directory = Type.Static<typeof Directory>;

export const UserSecurity = entity(
  Type.Object(
    {
      customerX509: Type.Optional(CustomerX509),
      ldap: Type.Optional(Directory),
      links: Links,
    },
    { description: 'Settings of a project for database users who log in without a password.' },
  ),
  { name: 'userSecurity', self: 'getUserSecurity', params: () => ({}) },
);

export const UserSecurityUpdate = Type.Object({
  customerX509: Type.Optional(CustomerX509),
  ldap: Type.Optional(
    Type.Object({
      ...ldap,
      bindPassword: Type.Optional(
        Type.String({
          maxLength: 1024,
          writeOnly: true,
          description: 'Password of `bindUsername`. It is not stored, since nothing uses it.',
        }),
      ),
    }),
  ),
});
