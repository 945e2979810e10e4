import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';

/** Returns the API parameters of a command as a text. Equal parameters have equal texts. */
export function apiParametersOf(body: RawDocument): string {
  const version = body.string('apiVersion');
  if (version === undefined) return '{}';
  const flags = ['apiStrict', 'apiDeprecationErrors'].flatMap((name) => {
    const flag = body.bool(name);
    return flag === undefined ? [] : [`${name}: ${flag}`];
  });
  return `{ ${[`apiVersion: "${version}"`, ...flags].join(', ')} }`;
}

/** Throws unless a command has the API parameters of the command that it continues. */
export function checkApiParameters(command: string, body: RawDocument, first: string, used: string): void {
  const parameters = apiParametersOf(body);
  if (parameters === used) return;
  throw new ServerError(
    'APIMismatchError',
    `API parameter mismatch: ${command} used params ${parameters}, ${first} used ${used}`,
  );
}
