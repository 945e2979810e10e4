import { hash } from 'node:crypto';
import type { DigestAlgorithm, DigestCredentials } from './header.ts';

/** Returns the lowercase hexadecimal hash of name, realm and password. It is stored instead of the private key. */
export function ha1(algorithm: DigestAlgorithm, username: string, realm: string, password: string): string {
  return digest(algorithm, `${username}:${realm}:${password}`);
}

/** Returns the response of correct credentials (RFC 7616 section 3.4.1; without `qop`, RFC 2069 section 2.1.2). */
export function expectedResponse(
  secret: string,
  method: string,
  given: Omit<DigestCredentials, 'response'>,
): string {
  const { algorithm, nonce, quality, uri } = given;
  const ha2 = digest(algorithm, `${method}:${uri}`);
  const counted = quality === undefined ? '' : `:${quality.nc}:${quality.cnonce}:auth`;
  return digest(algorithm, `${secret}:${nonce}${counted}:${ha2}`);
}

function digest(algorithm: DigestAlgorithm, text: string): string {
  return hash(algorithm === 'MD5' ? 'md5' : 'sha256', text);
}
