import { X509Certificate } from 'node:crypto';
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
 * certificate shows which of them is its issuer. Verifying a signature with a long key takes about a millisecond.
 */
const MAX_SIGNATURES = 64;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificate authorities of a cluster. They decide which certificates can log a user in. */
export class CertificateTrust {
  readonly #authorities: ReadonlyMap<string, readonly X509Certificate[]>;

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
    const { certificate, sent } = client;
    if (wanted.uri !== undefined && !hasUri(certificate, wanted.uri)) return undefined;
    const path = pathTo(this.#authorities.get(wanted.authority) ?? [], certificate, sent);
    if (path === undefined) return undefined;
    const start = Math.max(...path.map(({ validFrom }) => Date.parse(validFrom)));
    const end = Math.min(...path.map(({ validTo }) => Date.parse(validTo)));
    return start <= now && now <= end ? end : undefined;
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
  for (let last = certificate; path.length < MAX_PATH; ) {
    const isIssuer = (other: X509Certificate) =>
      other.ca && last.checkIssued(other) && signatures++ < MAX_SIGNATURES && last.verify(other.publicKey);
    const issuer = authority.find(isIssuer);
    if (issuer !== undefined) return [...path, issuer];
    const between = sent.find(isIssuer);
    if (between === undefined) return undefined;
    path.push(between);
    last = between;
  }
  return undefined;
}
