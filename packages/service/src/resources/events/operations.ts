import Type from 'typebox';
import { type Caller, visibleScopes } from '../../access/index.ts';
import { Download } from '../../api/operation.ts';
import { findEvent, listEvents } from '../../events/index.ts';
import { pageOf } from '../../store/index.ts';
import { isAlertable } from '../alerts/index.ts';
import { extension, operation } from '../services.ts';
import { eventFaults } from './faults.ts';
import { feedQuery, presentEvent, presentFeed } from './feeds.ts';
import { EventTypeDetails, FeedQuery, OrganizationEvent, ProjectEvent } from './schema.ts';
import { streamEvents } from './stream.ts';

const IncludeRaw = Type.Object({ includeRaw: FeedQuery.includeRaw });

export const listProjectEvents = operation({
  id: 'listProjectEvents',
  tag: 'Events',
  method: 'GET',
  path: '/groups/{groupId}/events',
  summary: 'Lists the events of a project, newest first.',
  access: 'Project Read Only',
  rateLimited: true,
  query: Type.Object({
    ...FeedQuery,
    clusterNames: Type.Optional(
      Type.Array(Type.String(), { description: 'Returns only events about these clusters.' }),
    ),
    excludedEventType: Type.Optional(
      Type.Array(Type.String(), { description: 'Returns no events of these types.' }),
    ),
  }),
  reply: ProjectEvent,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'events' },
  async handler(call) {
    const { groupId } = call.params;
    const feed = await call.read((tx) => listEvents(tx, { groupId }, feedQuery(call.query, call.page)));
    return presentFeed(feed, call.query.includeRaw);
  },
});

export const getProjectEvent = operation({
  id: 'getProjectEvent',
  tag: 'Events',
  method: 'GET',
  path: '/groups/{groupId}/events/{eventId}',
  summary: 'Returns one event of a project.',
  access: 'Project Read Only',
  query: IncludeRaw,
  reply: ProjectEvent,
  status: 200,
  async handler(call) {
    const { groupId, eventId } = call.params;
    const event = await call.read((tx) => findEvent(tx, { groupId }, eventId));
    if (!event) throw eventFaults.EVENT_NOT_FOUND(eventId, groupId);
    return presentEvent(event, call.query.includeRaw ?? false);
  },
});

export const listOrganizationEvents = operation({
  id: 'listOrganizationEvents',
  tag: 'Events',
  method: 'GET',
  path: '/orgs/{orgId}/events',
  summary:
    'Lists the events of an organization and of the projects in it that the caller can see, newest first.',
  access: 'Organization Member',
  rateLimited: true,
  query: Type.Object(FeedQuery),
  reply: OrganizationEvent,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'events' },
  async handler(call) {
    const owner = readableBy(call.caller, call.params.orgId);
    const feed = await call.read((tx) => listEvents(tx, owner, feedQuery(call.query, call.page)));
    return presentFeed(feed, call.query.includeRaw);
  },
});

export const getOrganizationEvent = operation({
  id: 'getOrganizationEvent',
  tag: 'Events',
  method: 'GET',
  path: '/orgs/{orgId}/events/{eventId}',
  summary: 'Returns one event of an organization.',
  access: 'Organization Member',
  query: IncludeRaw,
  reply: OrganizationEvent,
  status: 200,
  async handler(call) {
    const { orgId, eventId } = call.params;
    const event = await call.read((tx) => findEvent(tx, readableBy(call.caller, orgId), eventId));
    if (!event) throw eventFaults.ORG_EVENT_NOT_FOUND(eventId, orgId);
    return presentEvent(event, call.query.includeRaw ?? false);
  },
});

export const streamProjectEvents = extension({
  id: 'streamProjectEvents',
  tag: 'Events',
  method: 'GET',
  path: '/groups/{groupId}/events/stream',
  summary: 'Streams the events of a project (server-sent events): each event is sent when it is recorded.',
  access: 'Project Read Only',
  bytes: 'event-stream',
  status: 200,
  async handler({ services, params: { groupId }, scope, lastEventId, session }) {
    const orgId = scope?.kind === 'group' ? scope.orgId : '';
    return new Download(await streamEvents(services, { orgId, owner: { groupId }, lastEventId, session }));
  },
});

export const streamOrganizationEvents = extension({
  id: 'streamOrganizationEvents',
  tag: 'Events',
  method: 'GET',
  path: '/orgs/{orgId}/events/stream',
  summary:
    'Streams the events of an organization and of the projects in it that the caller can see (server-sent events).',
  access: 'Organization Member',
  bytes: 'event-stream',
  status: 200,
  async handler({ services, params: { orgId }, caller, lastEventId, session }) {
    const owner = readableBy(caller, orgId);
    return new Download(await streamEvents(services, { orgId, owner, lastEventId, session }));
  },
});

/**
 * Returns a filter for the events of an organization that a caller may read. A plain member may read only events of the
 * member's own projects.
 */
function readableBy(caller: Caller, orgId: string) {
  const { orgsWithAllProjects, groups } = visibleScopes(caller);
  return orgsWithAllProjects.has(orgId) ? { orgId } : { orgId, groupIds: [...groups] };
}

export const listEventTypes = operation({
  id: 'listEventTypes',
  tag: 'Events',
  method: 'GET',
  path: '/eventTypes',
  summary: 'Lists all event types, sorted by name.',
  access: 'any caller',
  reply: EventTypeDetails,
  list: 'page',
  status: 200,
  reachedFrom: { root: 'eventTypes' },
  async handler({ services, page }) {
    const all = Object.entries(services.eventTypes).sort(([a], [b]) => (a < b ? -1 : 1));
    const types = all.map(([eventType, description]) => ({
      eventType,
      description,
      alertable: isAlertable(eventType),
    }));
    return pageOf(types, page);
  },
});
