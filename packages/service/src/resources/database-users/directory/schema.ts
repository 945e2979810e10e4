import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../../api/fields.ts';

const named = {
  authzQueryTemplate: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        'Query for the groups of a user, in the form `base?attributes?scope?filter`. `{USER}` stands for the name of the user. If the text is empty, the query is not tested.',
    }),
  ),
  bindUsername: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Distinguished name with which the service logs in to the directory.',
  }),
  caCertificate: Type.Optional(
    Type.String({
      maxLength: 131_072,
      description:
        'Certificate of the authority that issued the certificate of the LDAP server, as PEM text. By default, the service trusts public authorities.',
    }),
  ),
  // The pattern excludes URLs, since they could contain a password.
  hostname: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\w.:-]+$',
    description: 'Name or address of the LDAP server.',
  }),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    format: 'int32',
    description: 'Port of the LDAP server for connections with TLS.',
  }),
};

export const DirectoryCheckRequest = Type.Object(
  {
    ...named,
    bindPassword: Type.String({
      maxLength: 1024,
      writeOnly: true,
      description: 'Password of `bindUsername`. The service stores it until the end of the verification.',
    }),
    links: Links,
  },
  { description: 'An LDAP server to verify.' },
);
export type DirectoryCheckRequest = Type.Static<typeof DirectoryCheckRequest>;

const validationTypes = ['CONNECT', 'AUTHENTICATE', 'PARSE_AUTHZ_QUERY', 'QUERY_SERVER'] as const;

const Validation = Type.Object({
  status: Choice(['FAIL', 'OK'], { description: 'Whether the step succeeded.' }),
  validationType: Choice(validationTypes, {
    description:
      'Step of the verification: a connection with TLS, a login, the syntax of the query, and the query itself.',
  }),
});
export type Validation = Type.Static<typeof Validation>;

export const DirectoryCheck = entity(
  Type.Object(
    {
      groupId: readOnly(Id()),
      links: Links,
      request: readOnly(Type.Object(named, { description: 'The verified LDAP server.' })),
      requestId: readOnly(Id()),
      status: readOnly(
        Choice(['FAIL', 'PENDING', 'SUCCESS'], {
          description: '`PENDING`: the verification is in progress. `FAIL`: one of its steps failed.',
        }),
      ),
      validations: readOnly(
        Type.Array(Validation, {
          description: 'Results of the steps in order. The verification ends at the first failure.',
        }),
      ),
    },
    { description: 'A verification of an LDAP server.' },
  ),
  {
    name: 'ldapVerification',
    self: 'getLdapVerification',
    params: ({ requestId = '' }: { readonly requestId?: string | undefined }) => ({ requestId }),
  },
);
