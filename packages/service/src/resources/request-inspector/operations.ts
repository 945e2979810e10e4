import {
  bytesOf,
  MAX_BACKGROUND_CALLS,
  MAX_CALLS,
  type Message,
  type RecordedCall,
} from '../../api/inspect/inspector.ts';
import { LargeReply } from '../../api/operation.ts';
import { pageOf } from '../../store/index.ts';
import { extension } from '../services.ts';
import { curlOf } from './curl.ts';
import { inspectorFaults } from './faults.ts';
import { archiveOf } from './har.ts';
import { documentationOf, isChallenge, matching, newestWithin, pathOf } from './rules.ts';
import {
  HttpArchive,
  InspectedExchange,
  InspectedRequest,
  InspectorSettings,
  RequestFilter,
} from './schema.ts';

const tag = 'Request inspector';

/** The limits of an exported archive: the number of calls, and their size in bytes. */
const MAX_EXPORTED = 1000;
const MAX_EXPORTED_BYTES = 16 * 1024 * 1024;

function summaryOf(call: RecordedCall) {
  const { address, at, caller, detail, errorCode, method, milliseconds, operation } = call;
  const { isBackground: background, requestId, status, target, version } = call;
  return {
    ...{ at: new Date(at), background, caller, detail, errorCode, method, milliseconds, operation },
    ...(isChallenge(call) && { challenge: true }),
    ...{ path: pathOf(target), remoteAddress: address, requestId, status, version },
  };
}

function exchangeOf(call: RecordedCall) {
  const { origin, target } = call;
  const message = ({ headers, body }: Message) => ({ headers, body });
  return {
    ...summaryOf(call),
    ...documentationOf(call),
    curl: curlOf(call),
    request: message(call.request),
    response: message(call.response),
    unreadFields: call.unread.fields,
    unreadParameters: call.unread.parameters,
    url: origin + target,
  };
}

export const listInspectedRequests = extension({
  id: 'listInspectedRequests',
  summary: `Lists the latest API requests to this instance, newest first. The instance keeps at most ${MAX_CALLS} requests and at most 64 MiB in memory, and in addition ${MAX_BACKGROUND_CALLS} requests with which pages of the console read data.`,
  tag,
  surface: 'operator',
  method: 'GET',
  path: '/requests',
  access: 'operator',
  query: RequestFilter,
  reply: InspectedRequest,
  list: 'page',
  status: 200,
  async handler({ services, query, page }) {
    return pageOf(matching(services.inspector, query).map(summaryOf), page);
  },
});

export const exportInspectedRequests = extension({
  id: 'exportInspectedRequests',
  summary: `Returns the latest API requests to this instance as an HTTP Archive (HAR 1.2), newest first: at most ${MAX_EXPORTED} requests and at most ${MAX_EXPORTED_BYTES >> 20} MiB.`,
  tag,
  surface: 'operator',
  method: 'GET',
  path: '/requests/archive',
  access: 'operator',
  query: RequestFilter,
  reply: HttpArchive,
  status: 200,
  async handler({ services, query }) {
    const calls = newestWithin(matching(services.inspector, query), {
      calls: MAX_EXPORTED,
      bytes: MAX_EXPORTED_BYTES,
    });
    const bytes = calls.reduce((sum, call) => sum + bytesOf(call), 0);
    return new LargeReply(bytes, async () => archiveOf(calls));
  },
});

export const getInspectedRequest = extension({
  id: 'getInspectedRequest',
  summary:
    'Returns one of the latest API requests with its response. If several requests have the same id, returns the newest of them.',
  tag,
  surface: 'operator',
  method: 'GET',
  path: '/requests/{requestId}',
  access: 'operator',
  reply: InspectedExchange,
  status: 200,
  async handler({ services, params: { requestId } }) {
    for (const call of services.inspector.calls(true))
      if (call.requestId === requestId) return exchangeOf(call);
    throw inspectorFaults.REQUEST_NOT_FOUND(requestId);
  },
});

export const deleteInspectedRequests = extension({
  id: 'deleteInspectedRequests',
  summary: 'Deletes all requests that this instance has recorded.',
  tag,
  surface: 'operator',
  method: 'DELETE',
  path: '/requests',
  access: 'operator',
  status: 204,
  async handler({ services }) {
    services.inspector.clear();
  },
});

export const getInspectorSettings = extension({
  id: 'getRequestInspectorSettings',
  summary: 'Returns which parts of a request this instance records.',
  tag,
  surface: 'operator',
  method: 'GET',
  path: '/requests/settings',
  access: 'operator',
  reply: InspectorSettings,
  status: 200,
  handler: async ({ services: { inspector } }) => ({ recording: inspector.recording }),
});

export const updateInspectorSettings = extension({
  id: 'updateRequestInspectorSettings',
  summary:
    'Sets which parts of each request this instance records. The setting applies until the instance stops.',
  tag,
  surface: 'operator',
  method: 'PATCH',
  path: '/requests/settings',
  access: 'operator',
  body: InspectorSettings,
  reply: InspectorSettings,
  status: 200,
  async handler({ services: { inspector, log }, body: { recording } }) {
    inspector.recording = recording;
    log.info({ recording }, 'the recording of requests was changed');
    return { recording };
  },
});
