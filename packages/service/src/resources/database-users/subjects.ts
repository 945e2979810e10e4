/**
 * Matches a pair of attribute and value (RFC 2253). A separator within a value is quoted or escaped by a backslash.
 * There is at most one way to match a text, so that matching takes linear time.
 */
const PAIR = /\s*(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)\s*=(?:\\.|"(?:\\.|[^"\\])*"|[^",;\\])+/;
const DISTINGUISHED_NAME = new RegExp(`^${PAIR.source}(?:[,;]${PAIR.source})*$`);
/** Matches a pair in the form in which the service itself writes subjects. */
const PLAIN_PAIR = /(CN|OU|O|C|L|ST|DC)=((?:\\.|[^\\,])+)(?:,|$)/g;

export function isDistinguishedName(text: string): boolean {
  return DISTINGUISHED_NAME.test(text);
}

/**
 * Returns the subject of certificates that the service issues: the name itself if it is a distinguished name, otherwise
 * the name as `CN`.
 */
export function managedSubject(username: string): string {
  return isDistinguishedName(username) ? username : written([['CN', username]]);
}

type Pairs = [type: string, value: string][];

/**
 * Returns the pairs of a subject, in the order of the subject. Undefined if the subject is not written in the form that
 * certificates show (RFC 2253).
 */
export function pairsOf(subject: string): Pairs | undefined {
  const pairs = [...subject.matchAll(PLAIN_PAIR)].map(([, type = '', value = '']): Pairs[number] => [
    type,
    value.replaceAll(/\\(.)/g, '$1'),
  ]);
  return written(pairs) === subject && !/\p{Cc}/u.test(subject) ? pairs : undefined;
}

function written(pairs: Pairs): string {
  return pairs.map(([type, value]) => `${type}=${escaped(value)}`).join(',');
}

/** Escapes a value (RFC 2253 section 2.4). */
function escaped(value: string): string {
  return value.replaceAll(/[,+"\\<>;]|^[# ]|(?!^) $/g, '\\$&');
}
