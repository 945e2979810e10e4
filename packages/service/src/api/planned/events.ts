import { plannedTag, reference } from './planned.ts';

export const events = plannedTag('Events', {
  listEventTypes: reference('GET /eventTypes'),
  listProjectEvents: reference('GET /groups/{groupId}/events'),
  getProjectEvent: reference('GET /groups/{groupId}/events/{eventId}'),
  listOrganizationEvents: reference('GET /orgs/{orgId}/events'),
  getOrganizationEvent: reference('GET /orgs/{orgId}/events/{eventId}'),
});
