import Negotiator from 'negotiator';
import { mediaTypeOf, STREAM_MEDIA_TYPE } from '../addresses.ts';
import { utcDate } from '../dates.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';
import { generalFaults, protocolFault } from '../faults.ts';
import type { OperationVersion } from '../routes/operation-version.ts';
import type { Route } from '../routes/route.ts';
import type { RouteMatch } from '../routes/route-table.ts';
import type { Surface } from '../routes/surface.ts';
import { NEWEST_VERSION, releaseDates } from '../versions.ts';

type RouteOnSurface = Pick<RouteMatch, 'route' | 'surface'>;

/** Returns the operation in the requested version. Throws 406. */
export function negotiate(
  edge: Edge,
  { accept }: Exchange,
  { route, surface }: RouteOnSurface,
): OperationVersion {
  const forms = formsOf(surface, route);
  if (surface.kind !== 'versioned') {
    if (!accepts(accept, forms)) throw notAcceptable();
    return route.served(surface);
  }
  const dates = versionDates(accept, forms);
  if (dates.length > 0) return servedOnFirst({ route, surface }, dates, edge.services.machine.now());
  if (edge.strictVersions) throw generalFaults.INVALID_VERSION_DATE();
  if (!accepts(accept, forms)) throw notAcceptable();
  return route.servedOn(surface, NEWEST_VERSION) ?? route.served(surface);
}

/** Returns the first of these versions that is served. If none is served, returns the first version that exists. */
function servedOnFirst(
  { route, surface }: RouteOnSurface,
  dates: readonly string[],
  machineNow: number,
): OperationVersion {
  let existing: OperationVersion | undefined;
  for (const date of dates) {
    const served = isKnownDate(date, machineNow) ? route.servedOn(surface, date) : undefined;
    if (served?.shape !== undefined) return served;
    existing ??= served;
  }
  if (existing === undefined) throw generalFaults.INVALID_VERSION_DATE();
  return existing;
}

/** Accepted media types. */
interface Forms {
  /** The vendor tree, which every versioned media type contains. */
  readonly tree: string;
  readonly versioned: RegExp;
  readonly plain: readonly string[];
}

interface FormsOfDialect {
  readonly documents: Forms;
  readonly gzips: Forms;
  readonly streams: Forms;
}

const known = new Map<Dialect, FormsOfDialect>();

function formsOf({ dialect }: Surface, { operation }: Route): Forms {
  const { documents, gzips, streams } = known.get(dialect) ?? formsOfDialect(dialect);
  if (operation.bytes === 'event-stream') return streams;
  return operation.bytes === 'gzip' ? gzips : documents;
}

function formsOfDialect(dialect: Dialect): FormsOfDialect {
  const tree = `vnd.${dialect.mediaPrefix}.`;
  const versioned = (form: string) =>
    new RegExp(`^application/vnd\\.${dialect.mediaPrefix}\\.([^+]+)\\+${form}$`);
  const plain = ['*/*', 'application/*', mediaTypeOf('json')];
  const forms = {
    documents: { tree, versioned: versioned('json'), plain },
    // Also accept the media type `application/json`, because errors have this type.
    gzips: {
      tree,
      versioned: versioned('(?:gzip|json)'),
      plain: [...plain, mediaTypeOf('gzip'), 'application/octet-stream'],
    },
    streams: { tree, versioned: versioned('json'), plain: [...plain, 'text/*', STREAM_MEDIA_TYPE] },
  };
  known.set(dialect, forms);
  return forms;
}

/** Returns the dates of the versioned types in an `Accept` header, by preference. They may be malformed. */
function versionDates(accept: string | undefined, { tree, versioned }: Forms): readonly string[] {
  if (!accept?.includes(tree)) return [];
  // Fast path: nearly every client names a single type.
  const only = versioned.exec(accept)?.[1];
  if (only !== undefined && !only.includes(',')) return [only];
  return mediaRanges(accept).flatMap((type) => versioned.exec(type)?.[1] ?? []);
}

const released = new Set<string>(releaseDates);

/**
 * Whether the version is a date that is not in the future by machine time. Service time is not used here, because it
 * would hide versions while it is frozen in the past.
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

/**
 * Throws 406 unless the `Accept` header contains the type of event streams. A caller who expects a document would
 * wait forever for its end.
 */
export function checkStream({ operation }: OperationVersion, { accept = '' }: Exchange): void {
  if (operation.bytes !== 'event-stream' || mediaRanges(accept).includes(STREAM_MEDIA_TYPE)) return;
  throw protocolFault(406, `This is a stream of events. Send the header Accept: ${STREAM_MEDIA_TYPE}.`);
}

/** Returns the types of an `Accept` header without their parameters, by preference. */
function mediaRanges(accept: string): string[] {
  return new Negotiator({ headers: { accept: accept.toLowerCase() } }).mediaTypes();
}
