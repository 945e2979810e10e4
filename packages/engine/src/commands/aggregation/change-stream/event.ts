import { encodeDocument } from '../../../bson/encode.ts';
import { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import type { Oplog } from '../../../storage/oplog/oplog.ts';
import { collectionEvents } from './collection-event.ts';
import { documentEvent } from './document-event.ts';
import { changesOf, type LoggedChange } from './entry.ts';
import type { EventParts } from './event-parts.ts';
import { type EventIdentity, encodeToken, type Token } from './token.ts';
import { viewEvents } from './view-event.ts';
import { namespaceOf, type Watched, watches, watchesViews } from './watched.ts';

/** An event that has not been built yet. It is built only if it is returned. */
export interface PendingEvent {
  readonly token: Token;
  readonly ends: boolean;
  /** Throws if a required pre-image or post-image is missing. */
  build(): ChangeEvent;
}

/** A change event for an oplog entry. */
export interface ChangeEvent {
  readonly identity: EventIdentity;
  readonly document: RawDocument;
}

export function* eventsOf(
  entry: RawDocument,
  position: number,
  watched: Watched,
  oplog: Oplog,
): Generator<PendingEvent, undefined, undefined> {
  for (const operation of changesOf(entry, position, (at) => oplog.entryAt(at))) {
    for (const { ends, parts } of partsOf(operation, watched, oplog)) {
      const token = { position, event: { step: operation.step, invalidate: ends } };
      yield { token, ends, build: () => eventOf(parts(), token, entry, operation, watched) };
    }
  }
}

interface LazyEvent {
  readonly ends: boolean;
  parts(): EventParts;
}

function partsOf(operation: LoggedChange, watched: Watched, oplog: Oplog): LazyEvent[] {
  const { kind, ns, o2 } = operation;
  if (kind === 'c' || (kind === 'n' && o2 !== undefined)) {
    return collectionEvents(operation, watched).map((event) => ({
      ends: event.ends === true,
      parts: () => event,
    }));
  }
  const { db, coll } = namespaceOf(ns);
  if (kind !== 'n' && watchesViews(watched, db, coll)) {
    return viewEvents(operation, db).map((event) => ({ ends: false, parts: () => event }));
  }
  if (kind === 'n' || !watches(watched, db, coll)) return [];
  // The server writes measurements to buckets, which are in a system collection.
  if (watched.find(db, coll)?.options.has('timeseries') === true) return [];
  return [{ ends: false, parts: () => documentEvent(operation, { db, coll }, watched, oplog) }];
}

function eventOf(
  { operationType, body, documentKey, ends = false }: EventParts,
  token: Token,
  entry: RawDocument,
  { uuid }: LoggedChange,
  watched: Watched,
): ChangeEvent {
  const identity = { uuid, operationType, documentKey };
  const document = encodeDocument({
    _id: encodeToken(token, identity),
    operationType,
    clusterTime: entry.get('ts'),
    collectionUUID: watched.options.showExpandedEvents && !ends ? uuid : undefined,
    wallTime: entry.get('wall'),
    ...(ends ? {} : transactionOf(entry)),
    ...body,
  });
  return { identity, document: new RawDocument(document) };
}

function transactionOf(entry: RawDocument): Record<string, Value | undefined> {
  // An entry of a retryable write has a transaction number and a statement id. An entry with a transaction
  // number but without a statement id belongs to a transaction.
  if (!entry.has('txnNumber') || entry.has('stmtId')) return {};
  return { txnNumber: entry.get('txnNumber'), lsid: entry.get('lsid') };
}
