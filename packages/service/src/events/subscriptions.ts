import { subscribe, type Topic, type TopicHandler, type Tx } from '../store/store.ts';
import type { EventRecord, EventTypes, Subscription } from './event.ts';

/** The topic on which the transaction of an event publishes the record of the event. */
export const recorded: Topic<EventRecord> = { name: 'event' };

/** Declares a subscription, for example `on(['CLUSTER_DELETED'], async (tx, event) => …)`. */
export function on(
  types: readonly string[],
  handle: (tx: Tx, event: EventRecord) => Promise<void>,
): Subscription {
  return { types, handle };
}

/**
 * Creates the store handlers that run subscriptions. An undeclared type of event is a bug. Such an event rolls back
 * its transaction.
 */
export function eventHandlers(declared: EventTypes, subscriptions: readonly Subscription[]): TopicHandler[] {
  const byType = new Map<string, Subscription[]>(Object.keys(declared).map((type) => [type, []]));
  for (const subscription of subscriptions) {
    for (const type of subscription.types) {
      const listeners = byType.get(type);
      if (listeners === undefined) throw new Error(`A subscription names the undeclared event type ${type}`);
      listeners.push(subscription);
    }
  }
  return [
    subscribe(recorded, async (tx, event) => {
      const listeners = byType.get(event.type);
      if (listeners === undefined) throw new Error(`The event type ${event.type} is not declared`);
      for (const listener of listeners) await listener.handle(tx, event);
    }),
  ];
}
