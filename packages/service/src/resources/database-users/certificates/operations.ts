import { Readable } from 'node:stream';
import { Download } from '../../../api/operation.ts';
import { pageOf } from '../../../store/index.ts';
import { extension } from '../../services.ts';
import { userFaults } from '../faults.ts';
import { requireDatabaseUser } from '../rules.ts';
import { addCertificate, keepAuthority } from './changes.ts';
import { issueCertificate } from './issue.ts';
import { type CertificateRow, certificatesOf } from './rows.ts';
import { UserCertificate, UserCertificateRequest } from './schema.ts';

const tag = 'X.509 Authentication';
const path = '/groups/{groupId}/databaseUsers/{username}/certs';
const databaseName = '$external';

const presentCertificate = (row: CertificateRow) => ({
  createdAt: row.created,
  groupId: row.groupId,
  id: row.serial,
  notAfter: row.notAfter,
  subject: row.subject,
});

export const listDatabaseUserCertificates = extension({
  id: 'listDatabaseUserCertificates',
  tag,
  method: 'GET',
  path,
  summary: 'Lists the valid certificates that the service has issued for a database user.',
  access: 'Project Read Only',
  reply: UserCertificate,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const user = await requireDatabaseUser(tx, { ...call.params, databaseName });
      const rows = await certificatesOf(tx, user.id, call.services.clock.now());
      return pageOf(rows.map(presentCertificate), call.page);
    }),
});

export const createDatabaseUserCertificate = extension({
  id: 'createDatabaseUserCertificate',
  tag,
  method: 'POST',
  path,
  summary: 'Issues a certificate for a database user, and returns it with its private key as PEM text.',
  access: 'Project Database Access Admin',
  body: UserCertificateRequest,
  bytes: 'text',
  status: 201,
  async handler(call) {
    const { services, params, body } = call;
    const at = { groupId: params.groupId, username: params.username, databaseName };
    const user = await call.read((tx) => requireDatabaseUser(tx, at));
    for (;;) {
      const { row, authority, pem } = await issueCertificate(services, user, body.monthsUntilExpiration ?? 3);
      const isKept = await call.write(async (tx) => {
        const { id } = await requireDatabaseUser(tx, at);
        if (id !== user.id) throw userFaults.USERNAME_NOT_FOUND(user.username);
        if (!(await keepAuthority(tx, authority))) return false;
        await addCertificate(tx, call.actor, user, row);
        return true;
      });
      // If another request has stored an authority in the meantime, try again.
      if (isKept) return new Download(Readable.from([Buffer.from(pem)]));
    }
  },
});
