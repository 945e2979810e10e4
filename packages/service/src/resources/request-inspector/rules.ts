import { bytesOf, type Inspector, type RecordedCall } from '../../api/inspect/inspector.ts';

export interface CallFilter {
  readonly background?: boolean;
  readonly caller?: string;
  readonly errorCode?: string;
  readonly failed?: boolean;
  readonly method?: string;
  readonly operation?: string;
  readonly pathContains?: string;
  readonly minStatus?: number;
  readonly maxStatus?: number;
  readonly since?: string | Date;
}

/** Returns the calls that match a filter. `since` is inclusive, since several calls may end in the same millisecond. */
export function matching(inspector: Pick<Inspector, 'calls'>, filter: CallFilter): RecordedCall[] {
  const { since, minStatus = 0, maxStatus = Number.POSITIVE_INFINITY } = filter;
  const earliest = since === undefined ? Number.NEGATIVE_INFINITY : new Date(since).getTime();
  const is = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined || wanted === value;
  const calls = inspector.calls(filter.background);
  return Iterator.from(filter.failed === true ? failures(calls) : calls)
    .filter(({ at, caller, errorCode, method, operation, status, target }) => {
      const isCaller = is(filter.caller, caller?.name) || filter.caller === caller?.id;
      const isStatus = status >= minStatus && status <= maxStatus;
      const isPath = pathOf(target).includes(filter.pathContains ?? '');
      const isKind = is(filter.method, method) && is(filter.operation, operation);
      return at >= earliest && isCaller && isStatus && isPath && isKind && is(filter.errorCode, errorCode);
    })
    .toArray();
}

/** Whether the request had no credentials and the response asked for them, as in the first step of HTTP Digest. */
export function isChallenge({ status, request, response }: RecordedCall): boolean {
  const isAnonymous = request.headers.authorization === undefined;
  return status === 401 && isAnonymous && response.headers['www-authenticate'] !== undefined;
}

const FAILED_FROM = 400;

/**
 * Yields the calls that failed. `calls` has the newest call first. A challenge is no failure if the client repeated the
 * request with credentials.
 */
function* failures(calls: Iterable<RecordedCall>): Generator<RecordedCall> {
  /** Maps each client and request to whether its next call got a response that was not a challenge. */
  const repeated = new Map<string, boolean>();
  for (const call of calls) {
    const request = `${call.address} ${call.method} ${call.target}`;
    const isAsking = isChallenge(call);
    const isAnswered = isAsking && repeated.get(request) === true;
    repeated.set(request, !isAsking);
    if (call.status >= FAILED_FROM && !isAnswered) yield call;
  }
}

/** Returns the first calls that are within the limits. */
export function newestWithin(
  calls: readonly RecordedCall[],
  most: { readonly calls: number; readonly bytes: number },
): readonly RecordedCall[] {
  let bytes = 0;
  const end = calls.findIndex((call) => {
    bytes += bytesOf(call);
    return bytes > most.bytes;
  });
  return calls.slice(0, Math.min(end < 0 ? calls.length : end, most.calls));
}

/** Returns the URLs of the sections about the operation and the error in the reference page. */
export function documentationOf({ errorCode, operation, origin, reference, status }: RecordedCall) {
  if (reference === undefined) return {};
  const page = `${origin}${reference}`;
  // For errors without a code of their own, the page has one section per status.
  const error = errorCode === 'UNEXPECTED_ERROR' ? `status-${status}` : `error-${status}-${errorCode}`;
  return {
    ...(operation === 'none' ? {} : { operationDocumentation: `${page}#op-${operation}` }),
    ...(errorCode === undefined ? {} : { errorDocumentation: `${page}#${error}` }),
  };
}

export function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
