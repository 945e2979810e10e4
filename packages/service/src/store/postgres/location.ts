import { StoreError } from '../errors.ts';

/** Validates the URL of a server. Returns the name of the database for messages, without credentials. */
export function placeOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    // Do not repeat the URL in the message, since it may contain a password.
    throw new StoreError(
      'configuration',
      'The database URL is invalid: it has the form postgres://user:password@host:5432/database',
    );
  }
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  const name = decodeURIComponent(parsed.pathname.slice(1));
  return `The database ${name || 'of the user'} at ${host}${parsed.port && `:${parsed.port}`}`;
}
