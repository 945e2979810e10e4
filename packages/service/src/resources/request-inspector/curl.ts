import { OPERATOR_BASE } from '../../api/addresses.ts';
import type { RecordedCall } from '../../api/inspect/inspector.ts';

/** Headers that curl sets by itself, or that depend on the credentials or the connection. */
const LEFT_OUT = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'transfer-encoding',
  'user-agent',
  'x-csrf-token',
  'x-purpose',
  'x-request-id',
]);

/** Returns the call as a `curl` command for a POSIX shell. The command reads credentials from environment variables. */
export function curlOf({ method, origin, target, caller, request }: RecordedCall): string {
  const headers = Object.entries(request.headers)
    .filter(([name]) => !LEFT_OUT.has(name) && !/^(?:sec-|x-forwarded-)/.test(name))
    .map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`);
  return [
    `curl --request ${method} ${quoted(origin + target)}`,
    ...credentials({ caller, target, sent: request.headers.authorization }),
    ...headers,
    ...(request.body === undefined ? [] : [`--data-raw ${quoted(request.body)}`]),
  ].join(' \\\n  ');
}

/**
 * Returns the options that authenticate the request: an API key if it used one, otherwise a token. Empty for
 * a request without credentials.
 */
function credentials({
  caller,
  target,
  sent = '',
}: Pick<RecordedCall, 'caller' | 'target'> & { readonly sent: string | undefined }): string[] {
  if (caller?.kind === 'apiKey' || sent.startsWith('Digest'))
    return ['--digest --user "$PUBLIC_KEY:$PRIVATE_KEY"'];
  const isAuthorized = caller !== undefined || target.startsWith(`${OPERATOR_BASE}/`);
  return isAuthorized || sent.startsWith('Bearer') ? ['--header "Authorization: Bearer $TOKEN"'] : [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
