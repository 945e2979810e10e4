import Type from 'typebox';
import { generalFaults } from '../../api/faults.ts';
import { type EventRecord, findEvent, listEvents } from '../../events/index.ts';
import { faults } from '../../runtime/faults.ts';
import type { Page, PageRequest } from '../../store/index.ts';
import { operation } from '../services.ts';
import { EventTypeDetails, type EventView, FeedQuery, OrganizationEvent, ProjectEvent } from './schema.ts';

export const eventFaults = faults({
  EVENT_NOT_FOUND: [404, 'No event with id {0} exists in project {1}.'],
  ORG_EVENT_NOT_FOUND: [404, 'No event with id {0} exists in organization {1}.'],
});

function present(event: EventRecord, includeRaw: boolean): EventView {
  const { id, created, type, orgId, groupId, actor, clusterName, details } = event;
  return {
    ...actor,
    ...details,
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(groupId === undefined ? {} : { groupId }),
    created,
    eventTypeName: type,
    id,
    isGlobalAdmin: false,
    orgId,
    ...(includeRaw
      ? { raw: { _t: 'EVENT', cid: groupId ?? orgId, cre: created.toISOString(), id, et: type } }
      : {}),
  };
}

interface FeedFilter {
  eventType?: string[];
  excludedEventType?: string[];
  clusterNames?: string[];
  minDate?: string | Date;
  maxDate?: string | Date;
  includeRaw?: boolean;
}

function query(filter: FeedFilter, page: PageRequest) {
  const minDate = filter.minDate === undefined ? undefined : new Date(filter.minDate);
  const maxDate = filter.maxDate === undefined ? undefined : new Date(filter.maxDate);
  if (minDate && maxDate && minDate > maxDate) {
    throw generalFaults.INVALID_DATE_RANGE(minDate.toISOString(), maxDate.toISOString());
  }
  return {
    ...page,
    ...(filter.eventType ? { types: filter.eventType } : {}),
    ...(filter.excludedEventType ? { excludedTypes: filter.excludedEventType } : {}),
    ...(filter.clusterNames ? { clusterNames: filter.clusterNames } : {}),
    ...(minDate ? { minDate } : {}),
    ...(maxDate ? { maxDate } : {}),
  };
}

function presentFeed(feed: Page<EventRecord>, includeRaw = false) {
  return { ...feed, results: feed.results.map((event) => present(event, includeRaw)) };
}

const IncludeRaw = Type.Object({ includeRaw: FeedQuery.includeRaw });

export const listProjectEvents = operation('listProjectEvents', {
  summary: 'Lists what happened in a project, newest first.',
  access: 'Project Read Only',
  rateLimited: true,
  query: Type.Object({
    ...FeedQuery,
    clusterNames: Type.Optional(
      Type.Array(Type.String(), { description: 'Only events about these clusters.' }),
    ),
    excludedEventType: Type.Optional(Type.Array(Type.String(), { description: 'No events of these types.' })),
  }),
  reply: ProjectEvent,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'events' },
  async handler(call) {
    const { groupId } = call.params;
    const feed = await call.read((tx) => listEvents(tx, { groupId }, query(call.query, call.page)));
    return presentFeed(feed, call.query.includeRaw);
  },
});

export const getProjectEvent = operation('getProjectEvent', {
  summary: 'Answers one event of a project.',
  access: 'Project Read Only',
  query: IncludeRaw,
  reply: ProjectEvent,
  status: 200,
  async handler(call) {
    const { groupId, eventId } = call.params;
    const event = await call.read((tx) => findEvent(tx, { groupId }, eventId));
    if (!event) throw eventFaults.EVENT_NOT_FOUND(eventId, groupId);
    return present(event, call.query.includeRaw ?? false);
  },
});

export const listOrganizationEvents = operation('listOrganizationEvents', {
  summary: 'Lists what happened in an organization and its projects, newest first.',
  access: 'Organization Member',
  rateLimited: true,
  query: Type.Object(FeedQuery),
  reply: OrganizationEvent,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'events' },
  async handler(call) {
    const { orgId } = call.params;
    const feed = await call.read((tx) => listEvents(tx, { orgId }, query(call.query, call.page)));
    return presentFeed(feed, call.query.includeRaw);
  },
});

export const getOrganizationEvent = operation('getOrganizationEvent', {
  summary: 'Answers one event of an organization.',
  access: 'Organization Member',
  query: IncludeRaw,
  reply: OrganizationEvent,
  status: 200,
  async handler(call) {
    const { orgId, eventId } = call.params;
    const event = await call.read((tx) => findEvent(tx, { orgId }, eventId));
    if (!event) throw eventFaults.ORG_EVENT_NOT_FOUND(eventId, orgId);
    return present(event, call.query.includeRaw ?? false);
  },
});

export const listEventTypes = operation('listEventTypes', {
  summary: 'Lists the types of events, by name.',
  access: 'any caller',
  reply: EventTypeDetails,
  list: 'page',
  status: 200,
  reachedFrom: { root: 'eventTypes' },
  async handler({ services, page }) {
    const all = Object.entries(services.eventTypes).sort(([a], [b]) => (a < b ? -1 : 1));
    const start = (page.pageNum - 1) * page.itemsPerPage;
    const results = all
      .slice(start, start + page.itemsPerPage)
      .map(([eventType, { description, alertable }]) => ({ eventType, description, alertable }));
    const more = start + page.itemsPerPage < all.length;
    return {
      results,
      totalCount: all.length,
      next: more ? (results.at(-1)?.eventType ?? undefined) : undefined,
    };
  },
});
