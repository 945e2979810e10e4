import { isIP } from 'node:net';

/** Whether a host is a loopback address, or `localhost`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Whether a text can be the issuer URL of an OpenID provider: an https URL or, if loopback addresses are allowed, an
 * http URL with such an address.
 */
export function isSafeIssuer(text: string, allowsLoopback: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  if (protocol === 'https:') return true;
  return allowsLoopback && protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
