import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { DateTime, Id, Links } from '../../../api/fields.ts';

export const UserCertificate = entity(
  Type.Object(
    {
      createdAt: DateTime({ description: 'Time at which the certificate was issued.' }),
      groupId: Id(),
      id: Type.Integer({ description: 'Serial number of the certificate.' }),
      links: Links,
      notAfter: DateTime({ description: 'Time at which the certificate expires.' }),
      subject: Type.String({
        description:
          'Subject of the certificate as a distinguished name (RFC 2253). It is the name of the user in clusters.',
      }),
    },
    {
      description:
        'A certificate with which a database user logs in. The service does not store its private key.',
    },
  ),
  { name: 'userCertificate', self: 'listDatabaseUserCertificates', params: (_, path) => path },
);

export const MAX_MONTHS = 24;

export const UserCertificateRequest = Type.Object({
  monthsUntilExpiration: Type.Optional(
    Type.Integer({ minimum: 1, default: 3, description: `Months of validity, at most ${MAX_MONTHS}.` }),
  ),
});
