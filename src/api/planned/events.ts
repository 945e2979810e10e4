import { type PlannedTag, reference } from './planned.ts';

export const events: PlannedTag = {
  tag: 'Events',
  paths: {
    '/eventTypes': {
      GET: reference('listEventTypes'),
    },
    '/groups/{groupId}/events': {
      GET: reference('listProjectEvents'),
    },
    '/groups/{groupId}/events/{eventId}': {
      GET: reference('getProjectEvent'),
    },
    '/orgs/{orgId}/events': {
      GET: reference('listOrganizationEvents'),
    },
    '/orgs/{orgId}/events/{eventId}': {
      GET: reference('getOrganizationEvent'),
    },
  },
};
