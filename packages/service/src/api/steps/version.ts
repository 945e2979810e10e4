import Negotiator from 'negotiator';
import { mediaTypeOf } from '../addresses.ts';
import { utcDate } from '../dates.ts';
import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';
import { generalFaults, protocolFault } from '../faults.ts';
import type { OperationVersion } from '../routes/operation-version.ts';
import type { Route } from '../routes/route.ts';
import { NEWEST_VERSION, releaseDates } from '../versions.ts';

/** Returns the operation in the requested version. Throws 406. */
export function negotiate(edge: Edge, exchange: Exchange, route: Route): OperationVersion {
  const { surface = 'v2', accept } = exchange;
  const forms = formsOf(route);
  if (surface !== 'v2') {
    if (!accepts(accept, forms)) throw notAcceptable();
    return route.served(surface);
  }
  const dates = versionDates(accept, forms);
  if (dates.length > 0) return servedOnFirst(route, dates, edge.services.machine.now());
  if (edge.strictVersions) throw generalFaults.INVALID_VERSION_DATE();
  if (!accepts(accept, forms)) throw notAcceptable();
  return route.servedOn(NEWEST_VERSION) ?? route.served(surface);
}

/** Selects the first of these versions that is served, or else the first that exists. */
function servedOnFirst(route: Route, dates: readonly string[], machineNow: number): OperationVersion {
  let existing: OperationVersion | undefined;
  for (const date of dates) {
    const served = isKnownDate(date, machineNow) ? route.servedOn(date) : undefined;
    if (served?.shape !== undefined) return served;
    existing ??= served;
  }
  if (existing === undefined) throw generalFaults.INVALID_VERSION_DATE();
  return existing;
}

/** Accepted media types. */
interface Forms {
  readonly versioned: RegExp;
  readonly plain: readonly string[];
}

const anything = ['*/*', 'application/*'];
const documents: Forms = {
  versioned: /^application\/vnd\.service\.([^+]+)\+json$/,
  plain: [...anything, mediaTypeOf('json')],
};
/** The type of JSON documents is accepted too: errors have that type. */
const gzips: Forms = {
  versioned: /^application\/vnd\.service\.([^+]+)\+(?:gzip|json)$/,
  plain: [...documents.plain, mediaTypeOf('gzip'), 'application/octet-stream'],
};

function formsOf({ operation }: Route): Forms {
  return operation.bytes === undefined ? documents : gzips;
}

/** The dates of the versioned types that the caller accepts, by preference; they may be malformed. */
function versionDates(accept: string | undefined, { versioned }: Forms): readonly string[] {
  if (!accept?.includes('vnd.service.')) return [];
  // Nearly every client names a single type.
  const only = versioned.exec(accept)?.[1];
  if (only !== undefined && !only.includes(',')) return [only];
  return mediaRanges(accept).flatMap((type) => versioned.exec(type)?.[1] ?? []);
}

const released = new Set<string>(releaseDates);

/**
 * Whether it is a date that is not in the future. Service time may be frozen in the past, but versions stay
 * available.
 */
function isKnownDate(date: string, machineNow: number): boolean {
  if (released.has(date)) return true;
  return /^\d{4}-\d\d-\d\d$/.test(date) && utcDate(date) !== undefined && Date.parse(date) <= machineNow;
}

function accepts(accept: string | undefined, { versioned, plain }: Forms): boolean {
  if (accept === undefined || accept === '' || plain.includes(accept)) return true;
  return mediaRanges(accept).some((type) => plain.includes(type) || versioned.test(type));
}

function notAcceptable() {
  return protocolFault(406, 'None of the media types in the Accept header is available.');
}

/** Types of an `Accept` header without their parameters, by preference. */
function mediaRanges(accept: string): string[] {
  return new Negotiator({ headers: { accept: accept.toLowerCase() } }).mediaTypes();
}
