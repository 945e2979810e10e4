import { issueClientCertificate } from '@portolan/foundation/tls/authority';
import type { Services } from '../../services.ts';
import { userFaults } from '../faults.ts';
import type { UserRow } from '../rows.ts';
import { managedSubject, pairsOf } from '../subjects.ts';
import { authorityUntil, makingOf, type ValidAuthority } from './authority.ts';
import type { CertificateRow } from './rows.ts';
import { checkManaged, endOf, uriOf } from './rules.ts';

/**
 * Length of a serial number in bytes. The API shows serial numbers as JSON numbers, and longer numbers would lose
 * digits.
 */
const SERIAL_BYTES = 6;

interface IssuedCertificate {
  readonly row: CertificateRow;
  readonly authority: ValidAuthority;
  /** The certificate and its private key, in PEM form. */
  readonly pem: string;
}

/** Issues a certificate for a user, without storing anything. */
export async function issueCertificate(
  services: Services,
  user: UserRow,
  months: number,
): Promise<IssuedCertificate> {
  checkManaged(user);
  const subject = managedSubject(user.username);
  const pairs = pairsOf(subject);
  if (pairs === undefined) throw userFaults.PLATFORM_INVALID_USERNAME(user.username);
  const created = services.clock.now();
  const notAfter = endOf(created, months);
  const serial = services.random.bytes(SERIAL_BYTES);
  // Clear the first bit, since serial numbers are positive (RFC 5280 section 4.1.2.2). Set the second bit, so that the
  // number does not begin with a zero byte.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const authority = await authorityUntil(services, user.groupId, notAfter);
  const fields = {
    subject: pairs.reverse(),
    serialNumber: serial.toString('hex'),
    notAfter,
    uri: uriOf(user.id),
  };
  const { cert, key } = await issueClientCertificate(authority.authority, fields, makingOf(services));
  return {
    authority,
    pem: `${cert}${key}`,
    row: {
      groupId: user.groupId,
      userId: user.id,
      serial: serial.readUIntBE(0, SERIAL_BYTES),
      subject,
      created,
      notAfter,
    },
  };
}
