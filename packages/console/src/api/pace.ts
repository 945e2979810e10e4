/** How often pages reload their data, and which data event streams keep up to date. */

/** Interval at which data is reloaded. */
const REFRESH_MS = 3000;

/** A list that is longer than this is reloaded less often. */
const LONG_LIST = 500;
const LONG_LIST_REFRESH_MS = 30_000;

/**
 * Interval for data that an open event stream keeps up to date. When an event reports a change, the page reloads the
 * data at once. The data is also reloaded at this interval, because no event reports that the person has gained access
 * to a resource.
 */
const FOLLOWED_REFRESH_MS = 30_000;

/**
 * Interval for operations with a rate limit. The service allows 100 requests per minute and project for all callers
 * together. With this interval, a page sends four requests per minute.
 */
const LIMITED_REFRESH_MS = 15_000;
/**
 * Interval at which lists of events are reloaded while the event stream is open. It is long, because the stream
 * contains all events.
 */
const STREAMED_REFRESH_MS = 300_000;

/** Matches the paths of operations with a rate limit (docs/contract/access.md 6). */
const LIMITED =
  /^\/(?:groups|orgs)\/[^/]+\/(?:events\b|dbAccessHistory\/|processes\/[^/]+\/.*measurements\b)/;
const EVENTS = /^\/(?:groups|orgs)\/[^/]+\/events(?:\?|$)/;
/** Matches the paths of lists and projects whose changes are all reported by events. */
const FOLLOWED =
  /^\/(?:orgs|groups|clusters)$|^\/groups\/[^/]+(?:\/clusters(?:\?.*)?|\/alerts\?status=OPEN|\/teams)?$/;

/** Whether the service limits the requests to the operation with this path. */
export const isLimited = (path: string): boolean => LIMITED.test(path);

/**
 * Returns the interval at which to reload the data of a path. `isStreamed` says whether the event stream for this data
 * is open.
 */
export function intervalOf(path: string, isStreamed: boolean, length = 0): number {
  if (isLimited(path)) return isStreamed && EVENTS.test(path) ? STREAMED_REFRESH_MS : LIMITED_REFRESH_MS;
  if (isStreamed && FOLLOWED.test(path)) return FOLLOWED_REFRESH_MS;
  return length > LONG_LIST ? LONG_LIST_REFRESH_MS : REFRESH_MS;
}

/** What an event concerns: one project or, without `groupId`, a whole organization. */
export interface Concerned {
  readonly groupId?: string | undefined;
}

/**
 * Whether an event can change the data of a path. An event of a project changes the data of this project, and lists of
 * all projects. An event of an organization can change everything. For example, teams have roles in projects.
 */
export function canChange({ groupId }: Concerned, path: string): boolean {
  const [, project] = /^\/groups\/([^/?]+)/.exec(path) ?? [];
  return groupId === undefined || project === undefined || project === groupId;
}
