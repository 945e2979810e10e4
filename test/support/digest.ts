import { createHash, randomBytes } from 'node:crypto';

/** The client side of HTTP Digest (RFC 7616). It follows the standard, and shares no code with the service. */

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

export type Algorithm = 'MD5' | 'SHA-256';

export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly algorithm: Algorithm;
  readonly stale: boolean;
  readonly qop: string;
}

/** Returns the challenge for an algorithm in a 401; undefined if it contains none. */
export function challengeIn(headers: Headers, algorithm: Algorithm): Challenge | undefined {
  const offered = headers.get('www-authenticate')?.split(/,\s*(?=Digest )/);
  return offered?.map(parse).find((challenge) => challenge.algorithm === algorithm);
}

function parse(text: string): Challenge {
  const parameters: Record<string, string> = {};
  for (const [, name = '', quoted, token] of text.matchAll(/(\w+)=(?:"([^"]*)"|([^,\s]+))/g)) {
    parameters[name] = quoted ?? token ?? '';
  }
  const { realm = '', nonce = '', qop = '', algorithm = 'MD5', stale = 'false' } = parameters;
  return { realm, nonce, qop, algorithm: algorithm as Algorithm, stale: stale === 'true' };
}

/**
 * Returns the `Authorization` header of a request. `count` must increase with each request that uses the same nonce.
 */
export function digestHeader(
  { publicKey, privateKey }: KeyPair,
  { realm, nonce, algorithm }: Challenge,
  { method, target, count }: { method: string; target: string; count: number },
): string {
  const hash = (text: string) =>
    createHash(algorithm.replace('-', '').toLowerCase()).update(text).digest('hex');
  const cnonce = randomBytes(8).toString('hex');
  const nc = count.toString(16).padStart(8, '0');
  const ha1 = hash(`${publicKey}:${realm}:${privateKey}`);
  const response = hash(`${ha1}:${nonce}:${nc}:${cnonce}:auth:${hash(`${method}:${target}`)}`);
  const quoted = { username: publicKey, realm, nonce, uri: target, response, cnonce };
  const parameters = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  return `Digest ${[...parameters, `algorithm=${algorithm}`, 'qop=auth', `nc=${nc}`].join(', ')}`;
}
