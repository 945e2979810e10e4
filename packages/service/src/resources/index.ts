import type { EventTypes } from '../events/index.ts';
import { eventHandlers } from '../events/index.ts';
import type { TopicHandler } from '../store/index.ts';
import type { Family } from './family.ts';

/** Every type of event that a family declares. */
export function eventTypesOf(families: readonly Family[]): EventTypes {
  return Object.assign({}, ...families.map(({ eventTypes }) => eventTypes));
}

/** Ids and tags of what is served to others than the operator. */
export function operationNamesOf(families: readonly Family[]): ReadonlySet<string> {
  const served = families
    .flatMap(({ operations }) => operations)
    .filter(({ surface }) => surface !== 'operator');
  return new Set(served.flatMap(({ id, tag }) => [id, tag]));
}

/** Whom the store hands what transactions publish: who subscribed to events, and who hooks into what others do. */
export function handlersOf(families: readonly Family[]): TopicHandler[] {
  const subscriptions = families.flatMap((family) => family.subscriptions ?? []);
  const hooks = families.flatMap((family) => family.hooks ?? []);
  return [...eventHandlers(eventTypesOf(families), subscriptions), ...hooks];
}
