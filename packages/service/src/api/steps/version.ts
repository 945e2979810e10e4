import Negotiator from 'negotiator';
import { mediaTypeOf } from '../addresses.ts';
import { utcDate } from '../dates.ts';
import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';
import { generalFaults, protocolFault } from '../faults.ts';
import type { Route } from '../routes/route.ts';
import type { Served } from '../routes/served.ts';
import { NEWEST_VERSION, releaseDates } from '../versions.ts';

/** The operation in the version that the request asks for (DESIGN "Decided"). Throws 406. */
export function negotiate(edge: Edge, exchange: Exchange, route: Route): Served {
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

/** In the first of the versions that can be served, or else in the first that exists. */
function servedOnFirst(route: Route, dates: readonly string[], machineNow: number): Served {
  let existing: Served | undefined;
  for (const date of dates) {
    const served = isKnownDate(date, machineNow) ? route.servedOn(date) : undefined;
    if (served?.shape !== undefined) return served;
    existing ??= served;
  }
  if (existing === undefined) throw generalFaults.INVALID_VERSION_DATE();
  return existing;
}

/** Media types that get an answer, as expressions over the forms that they name. */
interface Forms {
  readonly versioned: RegExp;
  readonly plain: readonly string[];
}

const anything = ['*/*', 'application/*'];
const documents: Forms = {
  versioned: /^application\/vnd\.service\.([^+]+)\+json$/,
  plain: [...anything, mediaTypeOf('json')],
};
/** Whoever names the type of documents for these as for everything else gets them too: errors have that type. */
const gzips: Forms = {
  versioned: /^application\/vnd\.service\.([^+]+)\+(?:gzip|json)$/,
  plain: [...documents.plain, mediaTypeOf('gzip'), 'application/octet-stream'],
};

function formsOf({ operation }: Route): Forms {
  return operation.bytes === undefined ? documents : gzips;
}

/** The dates, or whatever stands in their places, of the versioned types that the caller takes, best liked first. */
function versionDates(accept: string | undefined, { versioned }: Forms): readonly string[] {
  if (!accept?.includes('vnd.service.')) return [];
  // Nearly every client names the one type that it wants.
  const only = versioned.exec(accept)?.[1];
  if (only !== undefined && !only.includes(',')) return [only];
  return mediaRanges(accept).flatMap((type) => versioned.exec(type)?.[1] ?? []);
}

const released = new Set<string>(releaseDates);

/** Whether it is a date and not ahead. Service time may be frozen in the past; versions do not go away with it. */
function isKnownDate(date: string, machineNow: number): boolean {
  if (released.has(date)) return true;
  return /^\d{4}-\d\d-\d\d$/.test(date) && utcDate(date) !== undefined && Date.parse(date) <= machineNow;
}

function accepts(accept: string | undefined, { versioned, plain }: Forms): boolean {
  if (accept === undefined || accept === '' || plain.includes(accept)) return true;
  return mediaRanges(accept).some((type) => plain.includes(type) || versioned.test(type));
}

function notAcceptable() {
  return protocolFault(406, 'None of the media types in the Accept header can be answered.');
}

/** Types of an `Accept` header without their parameters, best liked first. */
function mediaRanges(accept: string): string[] {
  return new Negotiator({ headers: { accept: accept.toLowerCase() } }).mediaTypes();
}
