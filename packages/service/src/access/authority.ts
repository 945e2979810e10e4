import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { issueServerCertificate, makeAuthority } from '@portolan/foundation/tls/authority';
import {
  type Certificate,
  type CertificateSource,
  certificateSource,
  expiryOf,
  HOUR_MS,
} from '@portolan/foundation/tls/certificate';
import { type Store, settings } from '../store/index.ts';
import { normalAddress } from './caller-address.ts';

export interface ServerCertificateOptions {
  readonly store: Store;
  readonly secrets: SecretBox;
  readonly random: Random;
  readonly machine: MachineClock;
  readonly log: Log;
  /** Host names and addresses of this instance, from `serverNames`. */
  readonly names: readonly string[];
  /**
   * Returns additional names. The service polls this function, because the names can change while the service runs.
   */
  readonly furtherNames?: () => Promise<readonly string[]>;
  /** File for the authority's certificate, so that clients can trust it. */
  readonly authorityFile: string;
}

const DAY_MS = 86_400_000;
/**
 * How often `furtherNames` is polled. Drivers try to connect to their cluster for 30 seconds, so the certificate must
 * contain a new name well within this time.
 */
const CHECK_INTERVAL_MS = 1_000;
const RENEW_SERVER_BEFORE_MS = 30 * DAY_MS;
/**
 * The authority is renewed this long before its expiry. A server certificate therefore never outlives its authority.
 */
const RENEW_AUTHORITY_BEFORE_MS = 2 * 365 * DAY_MS;

const AUTHORITY = 'authority';

/**
 * Opens the certificate of this instance. One authority, shared by all instances, signs it. The first start creates the
 * certificate and the authority, and stores them encrypted. Both are renewed before they expire, by machine time.
 */
export async function openServerCertificate(options: ServerCertificateOptions): Promise<CertificateSource> {
  const { machine, log, furtherNames = async () => [] } = options;
  let further = await furtherNames();
  let checked = machine.monotonic();
  const first = await validCertificate(options, further);
  return certificateSource(first, {
    machine,
    log,
    refresh: async (present) => {
      const wanted = await furtherNames();
      const isDue = machine.monotonic() - checked >= HOUR_MS;
      if (!isDue && isDeepStrictEqual(wanted, further)) return present;
      const valid = await validCertificate(options, wanted);
      [further, checked] = [wanted, machine.monotonic()];
      return valid.cert === present.cert ? present : valid;
    },
    interval: options.furtherNames === undefined ? HOUR_MS : CHECK_INTERVAL_MS,
  });
}

/**
 * Returns the names for a server certificate: the listening host, the names of the machine, and the host of the public
 * URL.
 */
export function serverNames(listenHost: string, publicUrl: string): string[] {
  const hosts = [listenHost, 'localhost', '127.0.0.1', '::1', new URL(publicUrl).hostname];
  const bare = hosts.map((host) => normalAddress(host.replace(/^\[|\]$/g, '').toLowerCase()));
  return [...new Set(bare)].filter((host) => host !== '0.0.0.0' && host !== '::');
}

async function validCertificate(
  options: ServerCertificateOptions,
  further: readonly string[],
): Promise<Certificate> {
  const authority = await validAuthority(options);
  const { store, secrets, machine, random, names } = options;
  const name = `server-certificate/${names.join(',')}`;
  const kept = await readCertificate(options, name);
  const good =
    kept &&
    expiryOf(kept.cert) - machine.now() > RENEW_SERVER_BEFORE_MS &&
    isSignedBy(kept, authority) &&
    hasNames(kept, further);
  if (good) return kept;
  const made = await issueServerCertificate(authority, [...names, ...further], {
    now: machine.now(),
    random,
  });
  await store.write((tx) => settings.writeSealed(tx, secrets, name, JSON.stringify(made)));
  return made;
}

async function validAuthority(options: ServerCertificateOptions): Promise<Certificate> {
  const { store, secrets, machine, random, authorityFile } = options;
  const making = () => ({ now: machine.now(), random });
  const sealed = await settings.ensureSealed(store, secrets, AUTHORITY, async () =>
    JSON.stringify(await makeAuthority(making())),
  );
  let authority = parseCertificate(sealed);
  if (expiryOf(authority.cert) - machine.now() < RENEW_AUTHORITY_BEFORE_MS) {
    const renewed = await makeAuthority(making(), authority);
    await store.write((tx) => settings.writeSealed(tx, secrets, AUTHORITY, JSON.stringify(renewed)));
    authority = renewed;
  }
  await keepFile(authorityFile, authority.cert);
  return authority;
}

async function readCertificate({ store, secrets }: ServerCertificateOptions, name: string) {
  const sealed = await store.read((tx) => settings.readSealed(tx, secrets, name));
  return sealed && parseCertificate(sealed);
}

function parseCertificate(json: Buffer): Certificate {
  return JSON.parse(json.toString()) as Certificate;
}

function hasNames({ cert }: Certificate, names: readonly string[]): boolean {
  const there = new Set(new X509Certificate(cert).subjectAltName?.split(', '));
  return names.every((name) => there.has(`DNS:${name}`));
}

function isSignedBy(certificate: Certificate, authority: Certificate): boolean {
  return new X509Certificate(certificate.cert).verify(new X509Certificate(authority.cert).publicKey);
}

/** Writes a world-readable file, unless the file already has this content. */
async function keepFile(path: string, text: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => undefined);
  if (present !== text) await writeAtomically(path, text, 0o644);
}
