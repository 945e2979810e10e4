import type { IncomingHttpHeaders } from 'node:http';
import type { EdgeServices } from '../options.ts';
import { isLoopback } from './connections.ts';

/** Returns the origin that the caller used, from the headers of its request. */
export type OriginFinder = (headers: IncomingHttpHeaders, fromProxy: boolean) => string;

/** Creates the function that returns the origin of a request. */
export function originFinder(services: Pick<EdgeServices, 'publicUrl'>): OriginFinder {
  // The last host and its origin. They are cached, since most requests have the same host as the previous one.
  let last: { host: string | undefined; origin: string } | undefined;
  return (headers, fromProxy) => {
    if (fromProxy) return forwardedOrigin(headers) ?? services.publicUrl;
    const { host } = headers;
    if (last === undefined || last.host !== host) last = { host, origin: originOf(services.publicUrl, host) };
    return last.origin;
  };
}

function forwardedOrigin(headers: IncomingHttpHeaders): string | undefined {
  const host = lastOf(headers['x-forwarded-host']);
  const scheme = lastOf(headers['x-forwarded-proto']) === 'http' ? 'http' : 'https';
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : undefined;
}

function originOf(publicUrl: string, host: string | undefined): string {
  const known = new URL(publicUrl);
  const requestedUrl = host === undefined ? null : URL.parse(`${known.protocol}//${host}`);
  const isOtherName =
    isLoopbackName(known.hostname) && requestedUrl !== null && isLoopbackName(requestedUrl.hostname);
  return isOtherName && requestedUrl.port === known.port ? requestedUrl.origin : publicUrl;
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** Returns the last value, which the nearest proxy has appended. */
function lastOf(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : header?.at(-1);
  return text?.split(',').at(-1)?.trim();
}
