import { STATUS_CODES } from 'node:http';
import type { Message, RecordedCall } from '../../api/inspect/inspector.ts';

/** Converts recorded calls to an HTTP Archive (HAR 1.2), which browsers and other tools can open. */
export function archiveOf(calls: readonly RecordedCall[]) {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Portolan', version: '1' },
      entries: calls.map(entryOf),
    },
  };
}

/** Sizes that are not known are -1. */
const UNKNOWN = -1;

function entryOf({
  at,
  milliseconds,
  method,
  origin,
  target,
  status,
  requestId,
  request,
  response,
}: RecordedCall) {
  // The target can be `*`, and any client can send a target that is not a valid URL.
  const url = target.startsWith('/') ? origin + target : `${origin}/${target}`;
  const [, query = ''] = target.split('?', 2);
  const { body } = request;
  return {
    startedDateTime: new Date(at - milliseconds).toISOString(),
    time: milliseconds,
    request: {
      method,
      url,
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      ...common(request),
      ...(body === undefined ? {} : { postData: { mimeType: typeOf(request), text: body } }),
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? '',
      content: contentOf(response),
      redirectURL: response.headers.location ?? '',
      ...common(response),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: requestId,
  };
}

function common({ headers }: Message) {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
  };
}

function contentOf(response: Message) {
  const size = Number(response.headers['content-length'] ?? UNKNOWN);
  const { body } = response;
  return { size, mimeType: typeOf(response), ...(body === undefined ? {} : { text: body }) };
}

function typeOf({ headers }: Message): string {
  return headers['content-type'] ?? '';
}
