import { StoreError } from '../errors.ts';

/** Checks the URL of a server and answers how messages name the database: without credentials. */
export function placeOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    // The text itself may hold a password, so it is not repeated.
    throw new StoreError(
      'configuration',
      'The database URL is not understood: it has the form postgres://user:password@host:5432/database',
    );
  }
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  const name = decodeURIComponent(parsed.pathname.slice(1));
  return `The database ${name || 'of the user'} at ${host}${parsed.port && `:${parsed.port}`}`;
}
