import { makeAuthority } from '@portolan/foundation/tls/authority';
import { type Certificate, expiryOf } from '@portolan/foundation/tls/certificate';
import type { ReadTx } from '../../../store/index.ts';
import type { Services } from '../../services.ts';
import { customerAuthorities } from '../customer-authority/rows.ts';
import { type AuthorityRow, authorityOf } from './rows.ts';

const contextOf = (groupId: string) => `certificate authority of project ${groupId}`;

/**
 * Returns the times and the source of randomness that the creation of a certificate needs. The validity begins before
 * `earliest`, which is machine time, because programs compare certificates with the clock of their machine. The end of
 * the validity is computed from `now`, which is service time.
 */
export function makingOf({ clock, machine, random }: Services) {
  return { now: clock.now().getTime(), earliest: machine.now(), random };
}

export interface ValidAuthority {
  readonly row: AuthorityRow;
  readonly authority: Certificate;
  /** The stored certificate of the authority; undefined if the project has none yet. */
  readonly stored: string | undefined;
}

/**
 * Returns the project's authority. Creates an authority if the project has none, and renews an authority that ends
 * before `until`.
 */
export async function authorityUntil(
  services: Services,
  groupId: string,
  until: Date,
): Promise<ValidAuthority> {
  const { store, secrets } = services;
  const row = await store.read((tx) => authorityOf(tx, groupId));
  const present = row && {
    cert: row.certificate,
    key: secrets.open(row.sealedKey, contextOf(groupId)).toString(),
  };
  const stored = row?.certificate;
  if (present && expiryOf(present.cert) >= until.getTime()) return { row, authority: present, stored };
  const authority = await makeAuthority(makingOf(services), present);
  const sealedKey = secrets.seal(authority.key, contextOf(groupId));
  return { row: { groupId, certificate: authority.cert, sealedKey }, authority, stored };
}

/** Returns the authorities that sign the certificates of a project's users, in the form that the engine needs. */
export async function userAuthorities(tx: ReadTx, groupId: string): Promise<Record<string, string>> {
  const managed = (await authorityOf(tx, groupId))?.certificate;
  const customer = await customerAuthorities(tx, groupId);
  return {
    ...(managed === undefined ? {} : { managed }),
    ...(customer === undefined ? {} : { customer }),
  };
}
