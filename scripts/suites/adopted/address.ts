import { readFileSync } from 'node:fs';

/**
 * Returns the fields of a request that adopts a deployment. The service does not read the file that the option
 * `tlsCAFile` names, so the request contains its text.
 */
export function addressOf(uri: string): {
  readonly connectionString: string;
  readonly caCertificate?: string;
} {
  const found = /[?&]tlsCAFile=([^&]*)/.exec(uri);
  if (found === null) return { connectionString: uri };
  const connectionString = uri.replace(/tlsCAFile=[^&]*&?/, '').replace(/[?&]$/, '');
  return { connectionString, caCertificate: readFileSync(decodeURIComponent(found[1] ?? ''), 'utf8') };
}
