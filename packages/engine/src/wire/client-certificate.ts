import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../access/certificate-trust.ts';

/** Returns the certificate of a client. Returns undefined unless an authority of the cluster has signed it. */
export function clientCertificate(socket: Socket): ClientCertificate | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  return { subject: subjectOf(certificate), certificate, sent: issuersOf(certificate) };
}

function issuersOf({ issuerCertificate: issuer }: X509Certificate): X509Certificate[] {
  return issuer === undefined ? [] : [issuer, ...issuersOf(issuer)];
}

/**
 * Returns the subject in the format of RFC 2253, in which the order of the parts is reversed. Node.js already uses the
 * escapes of this format. However, it writes each part on a separate line, and adds spaces around a `+` within a part.
 */
export function subjectOf({ subject }: X509Certificate): string {
  return subject
    .split('\n')
    .reverse()
    .map((part) => part.replaceAll(' + ', '+'))
    .join(',');
}
