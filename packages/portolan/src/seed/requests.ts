import { ConfigError } from '@portolan/foundation/command-line';
import type { OwnAnswer, OwnCall } from '@portolan/service/own-calls';
import type { SeedResult, Service } from '@portolan/service/service';

/** What the functions of this folder need to create a seed in one organization. */
export interface Seeding {
  readonly service: Service;
  /** Calls the API as an owner of the organization. */
  readonly call: OwnCall;
  readonly orgId: string;
  /** The path of the seed file. Other paths in the seed are relative to it. */
  readonly file: string | undefined;
  /** Receives the result of each entry of the seed. */
  readonly report: (result: SeedResult) => void;
}

export type Body = Readonly<Record<string, unknown>>;

const NOT_FOUND = 404;

/**
 * The error if a database rejects the data of a seed. Its message can quote stored values. `shown` is the message
 * without these values.
 */
export class DataRejected extends ConfigError {
  readonly shown: string;

  constructor(place: string, error: { readonly code?: unknown; readonly errmsg?: unknown }) {
    super(`${place}: ${error.errmsg}`);
    this.shown = `${place}: the database rejected the data with the error code ${error.code}`;
  }
}

/**
 * Returns the body of a response. Throws a `ConfigError` that names the position of the seed entry if the request was
 * rejected.
 */
export function done({ status, body }: OwnAnswer, place: string): Body {
  if (status < 300) return body;
  throw new ConfigError(`${place}: ${body.errorCode}: ${body.detail}`);
}

/** Returns the resource at a path. If it does not exist, creates it with `make`. Reports whether it was created. */
export async function makeMissing(
  { call, report }: Seeding,
  path: string,
  make: () => Promise<OwnAnswer>,
  place: string,
): Promise<Body> {
  const found = await call('GET', path);
  const isMissing = found.status === NOT_FOUND;
  const body = done(isMissing ? await make() : found, place);
  report(isMissing ? created(place) : existing(place));
  return body;
}

export const created = (place: string): SeedResult => ({ place, created: 1, existing: 0 });
export const existing = (place: string): SeedResult => ({ place, created: 0, existing: 1 });

/** Returns the first 500 entries of a list. */
export async function listed(call: OwnCall, path: string, place: string): Promise<readonly Body[]> {
  const { results } = done(
    await call('GET', `${path}${path.includes('?') ? '&' : '?'}itemsPerPage=500`),
    place,
  );
  return results as readonly Body[];
}

export const named = (name: string) => encodeURIComponent(name);
