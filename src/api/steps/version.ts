import Negotiator from 'negotiator';
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
  if (surface !== 'v2') {
    if (!acceptsJson(accept)) throw notAcceptable();
    return route.served(surface);
  }
  const date = versionDate(accept);
  if (date !== undefined) {
    const served = isKnownDate(date, edge.services.machine.now()) ? route.servedOn(date) : undefined;
    if (served === undefined) throw generalFaults.INVALID_VERSION_DATE();
    return served;
  }
  if (edge.strictVersions) throw generalFaults.INVALID_VERSION_DATE();
  if (!acceptsJson(accept)) throw notAcceptable();
  return route.servedOn(NEWEST_VERSION) ?? route.served(surface);
}

const versionedType = /^application\/vnd\.service\.([^+]+)\+json$/;

/** The date, or whatever stands in its place, of the versioned type that the caller likes best. */
function versionDate(accept: string | undefined): string | undefined {
  if (!accept?.includes('vnd.service.')) return undefined;
  // Nearly every client names the one type that it wants.
  const only = versionedType.exec(accept)?.[1];
  if (only !== undefined && !only.includes(',')) return only;
  return mediaRanges(accept)
    .map((type) => versionedType.exec(type)?.[1])
    .find((date) => date !== undefined);
}

const released = new Set<string>(releaseDates);

/** Whether it is a date and not ahead. Service time may be frozen in the past; versions do not go away with it. */
function isKnownDate(date: string, machineNow: number): boolean {
  if (released.has(date)) return true;
  return /^\d{4}-\d\d-\d\d$/.test(date) && utcDate(date) !== undefined && Date.parse(date) <= machineNow;
}

function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return true;
  return mediaRanges(accept).some(
    (type) => ['*/*', 'application/*', 'application/json'].includes(type) || versionedType.test(type),
  );
}

function notAcceptable() {
  return protocolFault(406, 'None of the media types in the Accept header can be answered.');
}

/** Types of an `Accept` header without their parameters, best liked first. */
function mediaRanges(accept: string): string[] {
  return new Negotiator({ headers: { accept: accept.toLowerCase() } }).mediaTypes();
}
