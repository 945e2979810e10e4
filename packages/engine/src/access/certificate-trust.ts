import { type KeyObject, X509Certificate } from 'node:crypto';
import type { AccessSpec, UserSpec } from '../interface/engine.ts';

/** The certificate with which a client has connected, and the other certificates that the client sent. */
export interface ClientCertificate {
  /** The subject of the certificate, in the format of RFC 2253. */
  readonly subject: string;
  readonly certificate: X509Certificate;
  /** The certificates that the client sent in addition to `certificate`. */
  readonly sent: readonly X509Certificate[];
}

/** Maximum number of certificates in a chain. Real chains are much shorter. The default of OpenSSL is 100. */
const MAX_PATH = 10;
/**
 * Maximum number of signatures that a login verifies. If many authorities have the same name, only the signature of a
 * certificate shows which of them is its issuer. Verifying a signature takes up to 0.8 ms of CPU time (`costOf`), and
 * nothing else runs meanwhile.
 */
const MAX_SIGNATURES = 64;
/** Longer keys are unusual, and verifying a signature with them takes longer. */
const MAX_RSA_BITS = 8192;
/** Usual public exponents are 3 and 65537. With an exponent of 3,072 bits, verifying a signature takes 7 ms. */
const MAX_RSA_EXPONENT = 2n ** 32n;
/** Other curves are unusual and slow: verifying a signature takes up to 4 ms. */
const CURVES: Readonly<Record<string, number>> = { prime256v1: 1, secp384r1: 1, secp521r1: 2 };
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificate authorities of a cluster. They decide which certificates can log a user in. */
export class CertificateTrust {
  readonly #authorities: ReadonlyMap<string, readonly X509Certificate[]>;
  /** The chains of clients, by authority. All connections are checked again when users or addresses change. */
  readonly #paths = new WeakMap<X509Certificate, Map<string, readonly X509Certificate[] | undefined>>();

  constructor(authorities: AccessSpec['authorities'] = {}) {
    this.#authorities = new Map(
      Object.entries(authorities).map(([name, pem]) => [
        name,
        (pem.match(PEM) ?? []).map((text) => new X509Certificate(text)),
      ]),
    );
  }

  /**
   * Returns the time until which the certificate can log the user in, or undefined if it cannot. The TLS handshake has
   * already accepted a certificate of any authority of the cluster, and has compared its dates with the machine's
   * clock. This method accepts only the authority that the user names, and compares the dates with the service time
   * `now`.
   */
  expiryFor({ certificates: wanted }: UserSpec, client: ClientCertificate, now: number): number | undefined {
    if (wanted === undefined) return undefined;
    const { certificate } = client;
    if (wanted.uri !== undefined && !hasUri(certificate, wanted.uri)) return undefined;
    const path = this.#pathTo(wanted.authority, client);
    if (path === undefined) return undefined;
    const start = Math.max(...path.map(({ validFrom }) => Date.parse(validFrom)));
    const end = Math.min(...path.map(({ validTo }) => Date.parse(validTo)));
    return start <= now && now <= end ? end : undefined;
  }

  #pathTo(
    authority: string,
    { certificate, sent }: ClientCertificate,
  ): readonly X509Certificate[] | undefined {
    const paths = this.#paths.get(certificate) ?? new Map<string, readonly X509Certificate[] | undefined>();
    this.#paths.set(certificate, paths);
    if (!paths.has(authority))
      paths.set(authority, pathTo(this.#authorities.get(authority) ?? [], certificate, sent));
    return paths.get(authority);
  }
}

function hasUri({ subjectAltName = '' }: X509Certificate, uri: string): boolean {
  return subjectAltName.split(', ').includes(`URI:${uri}`);
}

/**
 * Returns the chain of the client's certificate: the certificate itself, its issuer, and so on up to the authority.
 * Returns undefined if there is no such chain.
 */
function pathTo(
  authority: readonly X509Certificate[],
  certificate: X509Certificate,
  sent: readonly X509Certificate[],
): X509Certificate[] | undefined {
  const path = [certificate];
  let signatures = 0;
  /** Counts a signature. Returns false if it must not be verified. */
  const isAffordable = (key: KeyObject) => {
    const cost = costOf(key);
    if (signatures + cost > MAX_SIGNATURES) return false;
    signatures += cost;
    return true;
  };
  for (let last = certificate; path.length < MAX_PATH; ) {
    const isIssuer = (other: X509Certificate) =>
      other.ca && last.checkIssued(other) && isAffordable(other.publicKey) && last.verify(other.publicKey);
    const issuer = authority.find(isIssuer);
    if (issuer !== undefined) return [...path, issuer];
    const between = sent.find(isIssuer);
    if (between === undefined) return undefined;
    path.push(between);
    last = between;
  }
  return undefined;
}

/**
 * Returns how many signatures the verification of one signature with a key counts as: infinitely many, if it is so slow
 * that the key is not accepted.
 */
export function costOf({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): number {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = details;
  if (type === 'ec') return CURVES[namedCurve] ?? Number.POSITIVE_INFINITY;
  const isQuick = type === 'rsa' && modulusLength <= MAX_RSA_BITS && publicExponent < MAX_RSA_EXPONENT;
  return isQuick || type === 'ed25519' || type === 'ed448' ? 1 : Number.POSITIVE_INFINITY;
}
