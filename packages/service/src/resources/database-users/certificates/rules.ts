import type { UserRow } from '../rows.ts';
import { certificateFaults } from './faults.ts';
import { MAX_MONTHS } from './schema.ts';

export const MAX_CERTIFICATES = 100;

export function checkManaged({ document, username }: UserRow): void {
  if (document.x509Type !== 'MANAGED') throw certificateFaults.USER_NOT_MANAGED_X509(username);
}

/**
 * Returns the end of the validity: the same day some months later, or the last day of that month if the month is too
 * short.
 */
export function endOf(now: Date, months: number): Date {
  if (months > MAX_MONTHS) throw certificateFaults.CERT_EXPIRY_CANNOT_EXCEED_TWO_YEARS();
  const end = new Date(Math.floor(now.getTime() / 1000) * 1000);
  end.setUTCMonth(end.getUTCMonth() + months);
  if (end.getUTCDate() !== now.getUTCDate()) end.setUTCDate(0);
  return end;
}

/**
 * Returns the alternative name in a user's certificates. It contains the user's id, so that a later user with the same
 * name cannot log in with these certificates.
 */
export const uriOf = (userId: string) => `urn:portolan:database-user:${userId}`;
