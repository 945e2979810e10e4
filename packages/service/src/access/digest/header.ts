/** The parameters of an `Authorization: Digest` header (RFC 7616 section 3.4) that the check uses. */
export interface DigestCredentials {
  readonly username: string;
  readonly realm: string;
  readonly nonce: string;
  readonly uri: string;
  /** The response hash in lowercase hexadecimal. */
  readonly response: string;
  readonly algorithm: DigestAlgorithm;
  /** The parameters of `qop`. Absent in the form of RFC 2069, which clients without `qop` send. */
  readonly quality: Quality | undefined;
}

/** Parameters of `qop=auth`, as sent. */
interface Quality {
  readonly nc: string;
  readonly cnonce: string;
}

export type DigestAlgorithm = 'MD5' | 'SHA-256';

/** One `name=value` with the comma or end after it. The value is a quoted string or a token. */
const parameter =
  /[\s,]*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s",]+))\s*(?:,[\s,]*|$)/y;
const ncPattern = /^(?!0{8})[0-9a-f]{8}$/i;
const hexPattern = /^[0-9a-f]+$/i;

/** Maximum length of a name or client nonce. Real names and nonces have 8 to 64 characters. */
const MAX_WORD = 256;

/** Parses the header after `Digest `; undefined for anything unusable. */
export function parseDigestHeader(text: string): DigestCredentials | undefined {
  const given = parseParameters(text);
  if (!given) return undefined;
  const { username, realm, nonce, uri, response } = Object.fromEntries(given);
  const algorithm = algorithmOf(given.get('algorithm'));
  const quality = qualityOf(given);
  if (username === undefined || realm === undefined || nonce === undefined || uri === undefined)
    return undefined;
  if (response === undefined || !algorithm || quality === 'unusable') return undefined;
  // RFC 7616 introduces SHA-256 and requires `qop`.
  if (quality === undefined && algorithm !== 'MD5') return undefined;
  if ((given.get('userhash') ?? 'false') !== 'false' || !hexPattern.test(response)) return undefined;
  if ([username, nonce].some((word) => word.length > MAX_WORD)) return undefined;
  return { username, realm, nonce, uri, response: response.toLowerCase(), algorithm, quality };
}

/** Reads `qop`, `nc` and `cnonce`, which are present together or not at all (RFC 2617 section 3.2.2). */
function qualityOf(given: ReadonlyMap<string, string>): Quality | 'unusable' | undefined {
  const [qop, nc, cnonce] = ['qop', 'nc', 'cnonce'].map((name) => given.get(name));
  if (qop === undefined && nc === undefined && cnonce === undefined) return undefined;
  if (qop !== 'auth' || nc === undefined || cnonce === undefined) return 'unusable';
  return ncPattern.test(nc) && cnonce.length <= MAX_WORD ? { nc, cnonce } : 'unusable';
}

/** Parses the parameters. Undefined if the text is not a parameter list, or if a name occurs twice. */
function parseParameters(text: string): Map<string, string> | undefined {
  const given = new Map<string, string>();
  parameter.lastIndex = 0;
  while (parameter.lastIndex < text.length) {
    const found = parameter.exec(text);
    const name = found?.[1]?.toLowerCase();
    if (!found || name === undefined || given.has(name)) return undefined;
    given.set(name, found[2]?.replace(/\\(.)/g, '$1') ?? found[3] ?? '');
  }
  return given;
}

/** Reads the name of the algorithm. The default is MD5 (RFC 7616 section 3.3). */
function algorithmOf(name = 'MD5'): DigestAlgorithm | undefined {
  const upper = name.toUpperCase();
  return upper === 'MD5' || upper === 'SHA-256' ? upper : undefined;
}
