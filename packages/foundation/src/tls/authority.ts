import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { Extension, Name } from '@peculiar/x509';
import type { Random } from '../random.ts';
import { type Certificate, expiryOf } from './certificate.ts';

/** Private certificate authorities, which sign the certificates of the service, its engines and their users. */

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Validity of server certificates in days. Common clients accept at most 398 days; one day is left for backdating. */
const SERVER_DAYS = 397;
/** The time by which certificates are backdated, for clients whose clocks are slow. */
const BACKDATED_MS = 3_600_000;
const SERIAL_BYTES = 16;

const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };

/** Loads the library on first use: it takes about 100 ms, longer than the rest of the start. */
async function x509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

export interface CertificateContext {
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  readonly random: Random;
  /** The start of the validity, if it is earlier than `now`. */
  readonly earliest?: number;
}

/**
 * Creates an authority that is valid for ten years. With `renewed`, the new authority has the key and the name of
 * `renewed`, so that clients that trust `renewed` also trust the new one.
 */
export async function makeAuthority(making: CertificateContext, renewed?: Certificate): Promise<Certificate> {
  const { X509CertificateGenerator, X509Certificate, ...extensions } = await x509();
  const key = renewed ? createPrivateKey(renewed.key) : newKey();
  const name = renewed
    ? new X509Certificate(renewed.cert).subject
    : `O=Portolan, CN=Portolan authority ${making.random.bytes(4).toString('hex')}`;
  const keys = await cryptoKeys(key);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(making.random),
    name,
    ...validity(making, AUTHORITY_DAYS),
    signingAlgorithm: SIGNATURE,
    keys,
    extensions: [
      new extensions.BasicConstraintsExtension(true, 0, true),
      new extensions.KeyUsagesExtension(
        extensions.KeyUsageFlags.keyCertSign | extensions.KeyUsageFlags.cRLSign,
        true,
      ),
      await extensions.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: pem(certificate), key: pkcs8(key) };
}

/** Creates a server certificate for host names and IP addresses. */
export async function issueServerCertificate(
  authority: Certificate,
  names: readonly string[],
  making: CertificateContext,
): Promise<Certificate> {
  const { SubjectAlternativeNameExtension, ExtendedKeyUsage } = await x509();
  const { notBefore, notAfter } = validity(making, SERVER_DAYS);
  const last = expiryOf(authority.cert);
  return issue(authority, {
    serialNumber: serialNumber(making.random),
    // The subject is the same for all hosts, because clients check only the alternative names.
    subject: 'O=Portolan, CN=Portolan service',
    notBefore,
    notAfter: new Date(Math.min(notAfter.getTime(), last)),
    usage: ExtendedKeyUsage.serverAuth,
    alternativeNames: new SubjectAlternativeNameExtension(
      names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value })),
    ),
  });
}

export interface ClientCertificate {
  /** Pairs of type and value in the order of the certificate, for example `[['O', 'Portolan'], ['CN', 'ada']]`. */
  readonly subject: ReadonlyArray<readonly [string, string]>;
  /** The serial number in hexadecimal. */
  readonly serialNumber: string;
  readonly notAfter: Date;
  /** A URI that the certificate contains as a subject alternative name. */
  readonly uri: string;
}

/** Creates a client certificate. Throws for an unknown type in its subject. */
export async function issueClientCertificate(
  authority: Certificate,
  { subject, uri, ...certificate }: ClientCertificate,
  making: CertificateContext,
): Promise<Certificate> {
  const { Name, SubjectAlternativeNameExtension, ExtendedKeyUsage } = await x509();
  return issue(authority, {
    ...certificate,
    subject: new Name(subject.map(([type, utf8String]) => ({ [type]: [{ utf8String }] }))),
    notBefore: validity(making, 0).notBefore,
    usage: ExtendedKeyUsage.clientAuth,
    alternativeNames: new SubjectAlternativeNameExtension([{ type: 'url', value: uri }]),
  });
}

interface Issue {
  readonly serialNumber: string;
  readonly subject: string | Name;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly usage: string;
  readonly alternativeNames: Extension;
}

/** Creates a key, and a certificate for it that the authority signs. */
async function issue(
  authority: Certificate,
  { usage, alternativeNames, ...fields }: Issue,
): Promise<Certificate> {
  const { X509CertificateGenerator, X509Certificate, ...extensions } = await x509();
  const signing = await cryptoKeys(createPrivateKey(authority.key));
  const key = newKey();
  const { publicKey } = await cryptoKeys(key);
  const certificate = await X509CertificateGenerator.create({
    ...fields,
    issuer: new X509Certificate(authority.cert).subject,
    signingAlgorithm: SIGNATURE,
    publicKey,
    signingKey: signing.privateKey,
    extensions: [
      new extensions.BasicConstraintsExtension(false, undefined, true),
      new extensions.KeyUsagesExtension(extensions.KeyUsageFlags.digitalSignature, true),
      new extensions.ExtendedKeyUsageExtension([usage]),
      alternativeNames,
      await extensions.SubjectKeyIdentifierExtension.create(publicKey),
      await extensions.AuthorityKeyIdentifierExtension.create(signing.publicKey),
    ],
  });
  return { cert: pem(certificate), key: pkcs8(key) };
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: CURVE.namedCurve }).privateKey;
}

async function cryptoKeys(privateKey: KeyObject) {
  return {
    privateKey: privateKey.toCryptoKey(CURVE, false, ['sign']),
    publicKey: createPublicKey(privateKey).toCryptoKey(CURVE, true, ['verify']),
  };
}

function validity({ now, earliest = now }: CertificateContext, days: number) {
  const start = now - BACKDATED_MS;
  const notBefore = new Date(Math.min(start, earliest - BACKDATED_MS));
  // The validity includes its last second (RFC 5280 section 4.1.2.5).
  return { notBefore, notAfter: new Date(start + days * DAY_MS - 1000) };
}

/** Returns a random serial number. Serial numbers are positive (RFC 5280 section 4.1.2.2), so the first bit is 0. */
function serialNumber(random: Random): string {
  const bytes = random.bytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

function pem(certificate: { toString(format: 'pem'): string }): string {
  return `${certificate.toString('pem')}\n`;
}

function pkcs8(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}
