import type { EventTypes } from '../events/index.ts';
import { eventHandlers } from '../events/index.ts';
import type { TopicHandler } from '../store/index.ts';
import type { Family } from './family.ts';

/** Returns the event types of all families. */
export function eventTypesOf(families: readonly Family[]): EventTypes {
  return Object.assign({}, ...families.map(({ eventTypes }) => eventTypes));
}

/** Returns the ids and tags of all operations that are not reserved for the operator. */
export function operationNamesOf(families: readonly Family[]): ReadonlySet<string> {
  const served = families
    .flatMap(({ operations }) => operations)
    .filter(({ surface }) => surface !== 'operator');
  return new Set(served.flatMap(({ id, tag }) => [id, tag]));
}

/** Returns the handlers of published topics. These are the event subscriptions and hooks of all families. */
export function handlersOf(families: readonly Family[]): TopicHandler[] {
  const subscriptions = families.flatMap((family) => family.subscriptions ?? []);
  const hooks = families.flatMap((family) => family.hooks ?? []);
  return [...eventHandlers(eventTypesOf(families), subscriptions), ...hooks];
}
