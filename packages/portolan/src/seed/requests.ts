import { ConfigError } from '@portolan/foundation/command-line';
import type { OwnAnswer, OwnCall } from '@portolan/service/own-calls';
import type { Service } from '@portolan/service/service';

/** What a seed is made by, in one organization. */
export interface Seeding {
  readonly service: Service;
  /** Calls the API as an owner of the organization. */
  readonly call: OwnCall;
  readonly orgId: string;
  /** The path of the seed file, which others in it are relative to. */
  readonly file: string | undefined;
}

export type Body = Readonly<Record<string, unknown>>;

const NOT_FOUND = 404;

/** The body of an answer. Throws a `ConfigError` that names the place whose request was refused. */
export function done({ status, body }: OwnAnswer, place: string): Body {
  if (status < 300) return body;
  throw new ConfigError(`${place}: ${body.errorCode}: ${body.detail}`);
}

/** What is at a path; what `make` answers where nothing is. */
export async function makeMissing(
  call: OwnCall,
  path: string,
  make: () => Promise<OwnAnswer>,
  place: string,
): Promise<Body> {
  const found = await call('GET', path);
  return done(found.status === NOT_FOUND ? await make() : found, place);
}

/** What a list holds, as far as a seed looks: 500 of it. */
export async function listed(call: OwnCall, path: string, place: string): Promise<readonly Body[]> {
  const { results } = done(
    await call('GET', `${path}${path.includes('?') ? '&' : '?'}itemsPerPage=500`),
    place,
  );
  return results as readonly Body[];
}

export const named = (name: string) => encodeURIComponent(name);
