import { StoreError } from '../errors.ts';

/** Validates the URL of a server and returns the name of the database for messages, without credentials. */
export function placeOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    // The URL may contain a password, so the message does not repeat it.
    throw new StoreError(
      'configuration',
      'The database URL is invalid: it has the form postgres://user:password@host:5432/database',
    );
  }
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  const name = decodeURIComponent(parsed.pathname.slice(1));
  return `The database ${name || 'of the user'} at ${host}${parsed.port && `:${parsed.port}`}`;
}
