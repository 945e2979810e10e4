import type { IncomingMessage } from 'node:http';
import type { Fault } from '@portolan/foundation/faults';
import { protocolFault } from '../faults.ts';
import { HEAD_TOO_LARGE } from './broken-request.ts';

/** A request. `originalUrl` is its target if the client sent it in absolute form. */
export type WithTarget = IncomingMessage & { originalUrl?: string };

const absolute = /^https?:\/\/([^/?#@\\]+)([^#]*)$/i;

/**
 * Converts a target in absolute form, as proxies send it, to origin form. The host of the target replaces the `Host`
 * header (RFC 9112 section 3.2.2).
 */
export function readTarget(request: WithTarget): void {
  const target = request.url;
  if (target === undefined || target.startsWith('/')) return;
  const [, authority, path] = absolute.exec(target) ?? [];
  if (authority === undefined || path === undefined) return;
  request.originalUrl = target;
  request.url = path.startsWith('/') ? path : `/${path}`;
  request.headers.host = authority;
}

/** Returns a target without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** A name or an address with an optional port. Empty if the target has no host (RFC 9110 section 7.2). */
const host = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** The last valid host. It is cached, since most requests have the same host as the previous one. */
let lastHost = '';

/** Returns the error in a request line or headers, checked before routing and authentication. `limit` is in bytes. */
export function headProblem(request: WithTarget, limit: number): Fault | undefined {
  const { headers, rawHeaders, httpVersion, url } = request;
  const { host: name, expect } = headers;
  if (isLarger(request, limit)) return refused(431, HEAD_TOO_LARGE);
  // Reject a fragment in the target, which RFC 9112 section 3.2 does not allow. Routers and proxies interpret fragments
  // differently.
  if (url?.includes('#')) return refused(400, 'The request target has a fragment.');
  if (name === undefined) {
    if (httpVersion === '1.1') return refused(400, 'The request has no Host header.');
  } else if (name !== lastHost) {
    if (!host.test(name)) return refused(400, 'The Host header does not name a host.');
    lastHost = name;
  }
  const doubled = doubledField(rawHeaders);
  if (doubled !== undefined) return refused(400, `The request has more than one ${doubled} header.`);
  if (expect !== undefined && httpVersion === '1.1' && expect.toLowerCase() !== '100-continue') {
    return refused(417, 'The only supported expectation is 100-continue.');
  }
  return undefined;
}

/**
 * Whether the target and the headers have more than `limit` bytes. Node.js decodes headers as one character per byte.
 * As in Node's own limit, separators are not counted.
 */
function isLarger({ originalUrl, url = '', rawHeaders }: WithTarget, limit: number): boolean {
  let size = (originalUrl ?? url).length;
  for (const text of rawHeaders) size += text.length;
  return size > limit;
}

/**
 * Headers that may occur only once, by the length of their name. Comparing lengths first is fast, since most other
 * names have other lengths.
 */
const singleFields: Readonly<Record<number, string>> = {
  4: 'Host',
  12: 'Content-Type',
  13: 'Authorization',
};

/**
 * Returns the name of a header that must occur only once but occurs several times. Node silently uses the first of
 * them, while a proxy in front may have used another.
 */
function doubledField(rawHeaders: readonly string[]): string | undefined {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const single = singleFields[name.length];
    if (single === undefined || name.toLowerCase() !== single.toLowerCase()) continue;
    const bit = 1 << name.length;
    if ((seen & bit) !== 0) return single;
    seen |= bit;
  }
  return undefined;
}

/** Creates a fault that also closes the connection, since the start of the next request is uncertain. */
function refused(status: number, detail: string): Fault {
  return protocolFault(status, detail).with({ headers: { Connection: 'close' } });
}
