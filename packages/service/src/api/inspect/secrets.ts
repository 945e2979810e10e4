import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { unescape as decoded } from 'node:querystring';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { Fault } from '@portolan/foundation/faults';

/** This file removes secrets from requests and responses before they are recorded. */

const HIDDEN = '********';

/**
 * Matches the names of fields and query parameters whose values are secret, but not names such as `apiKeyId` and
 * `tokenizer`.
 */
const SECRET_NAME =
  /(?:password|passwd|passphrase|secret|credential|token|assertion|authorization|signature|(?:private|api|account|access|service|routing|license)key|(?:webhook|delivery|download|snapshot)url)s?$|connectionstring$/;

const SECRET_HEADERS = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-csrf-token',
]);

/** Parts of a text that are secret in any context: passwords in URLs, tokens of the service, private keys. */
const SECRET_PARTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/(\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${HIDDEN}@`],
  [/\bdb_(?!sa_id_)([a-z]+_)+[\w-]{20,}/g, HIDDEN],
  // A match must not begin at a hyphen. Otherwise, a text with many hyphens would take quadratic time.
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, HIDDEN],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN],
];

/**
 * Matches a query parameter of a URL in a text. The length of the name is limited, so that a long text takes linear
 * time.
 */
const URL_PARAMETER = /([?&])([\w%.-]{1,64})=[^\s&"'<>#]+/g;

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.toLowerCase().replaceAll(/[_-]/g, ''));
}

function withoutSecretParts(text: string): string {
  return SECRET_PARTS.reduce((left, [part, instead]) => left.replaceAll(part, instead), text).replaceAll(
    URL_PARAMETER,
    (whole, mark: string, name: string) => (isSecretName(decoded(name)) ? `${mark}${name}=${HIDDEN}` : whole),
  );
}

/**
 * Whether a header is secret, by name. The result is cached, since checking the name takes longer than the rest of the
 * recording.
 */
const secretHeaders = new BoundedCache<string, boolean>({ entries: 1000 });

type Headers = IncomingHttpHeaders | OutgoingHttpHeaders;
type Shown = Readonly<Record<string, string>>;

/**
 * Returns the headers with lowercase names and hidden secrets. The scheme of credentials stays visible. `known`
 * contains the headers of an earlier message. If the result equals `known`, returns `known` itself to save memory.
 */
export function shownHeaders(headers: Headers, known?: Shown): Shown {
  if (known !== undefined && areShownAs(headers, known)) return known;
  if (areShownAs(headers, headers)) return headers as Shown;
  const shown: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) shown[name] = shownHeader(name, value);
  }
  return shown;
}

function areShownAs(headers: Headers, shown: Headers): boolean {
  let more = 0;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) return false;
    const text = shown[name];
    const isKept = typeof value === 'string' && text === value && !isSecretHeader(name);
    if (!isKept && text !== shownHeader(name, value)) return false;
    more++;
  }
  if (headers === shown) return true;
  for (const _ in shown) more--;
  return more === 0;
}

function shownHeader(name: string, value: string | number | readonly string[]): string {
  const text = typeof value === 'string' ? value : String(value);
  return isSecretHeader(name) ? hiddenHeader(name, text) : text;
}

function isSecretHeader(name: string): boolean {
  return secretHeaders.of(name, () => SECRET_HEADERS.has(name) || isSecretName(name));
}

function hiddenHeader(name: string, value: string): string {
  const scheme = name.endsWith('authorization') ? /^(?:Basic|Bearer|Digest)\b/i.exec(value)?.[0] : undefined;
  return scheme === undefined ? HIDDEN : `${scheme} ${HIDDEN}`;
}

/** Returns a request target with the values of secret parameters hidden. */
export function shownTarget(target: string): string {
  const at = target.indexOf('?');
  if (at < 0) return target;
  const parameters = target.slice(at + 1).split('&');
  const shown = parameters.map((parameter) => {
    const [name = '', ...value] = parameter.split('=');
    return value.length > 0 && isSecretName(decoded(name))
      ? `${name}=${HIDDEN}`
      : withoutSecretParts(parameter);
  });
  return `${target.slice(0, at)}?${shown.join('&')}`;
}

const MAX_DETAIL = 1000;

/**
 * Returns the text of an error. If the error concerns a secret field, the values that it quotes are hidden. Texts of
 * databases, which can quote documents, are hidden unless bodies are recorded.
 */
export function shownDetail(
  { message, fields, parameters, stored = [] }: Fault,
  keepsBodies: boolean,
): string {
  const isSecret = fields?.some(({ field }) => isSecretName(field.split('.').at(-1) ?? '')) ?? false;
  const quoted = isSecret ? (parameters ?? []).flat().filter((value) => typeof value === 'string') : [];
  const text = [...quoted, ...(keepsBodies ? [] : stored)]
    .filter((value) => value !== '')
    .reduce((left, value) => left.replaceAll(value, HIDDEN), message);
  return withoutSecretParts(text).slice(0, MAX_DETAIL);
}

/**
 * Returns a JSON text with its secrets hidden. A text that is not valid JSON is hidden completely, since its secrets
 * cannot be found.
 */
export function shownBody(text: string): string | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  return JSON.stringify(shown(document, false));
}

/** Hides the secrets in a value. The recursion is limited, because the HTTP layer limits the depth of bodies. */
function shown(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret ? HIDDEN : withoutSecretParts(value);
  if (Array.isArray(value)) return value.map((item) => shown(item, isSecret));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shown(inner, isSecretName(name))]),
  );
}
