export {
  type Actor,
  type EventDetails,
  type EventOwner,
  type EventRecord,
  type EventTypes,
  type NewEvent,
  type Subscription,
  system,
} from './event.ts';
export { type EventQuery, listEvents } from './feed.ts';
export { EventHub } from './hub.ts';
export { eventMigrations } from './migrations.ts';
export { type EventBatch, findInRanges } from './numbered.ts';
export { type Position, parsePosition, positionText, rangesBetween, sizeOf } from './position.ts';
export { recordEvent } from './record.ts';
export { deleteOldEvents, ownersOfEvents } from './retention.ts';
export { findEvent } from './rows.ts';
export { eventHandlers, on } from './subscriptions.ts';
