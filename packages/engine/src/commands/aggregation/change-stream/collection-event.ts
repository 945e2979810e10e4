import type { PlainObject } from '@portolan/foundation/plain-object';
import { bsonTypes } from '../../../bson/bson-types.ts';
import { writeDocument } from '../../../bson/document-writer.ts';
import { RawDocument } from '../../../bson/raw.ts';
import { string, textOf, type Value } from '../../../bson/value.ts';
import type { LoggedChange } from './entry.ts';
import type { EventParts } from './event-parts.ts';
import { type Namespace, namespaceOf, type Watched, watches, watchesDatabase } from './watched.ts';

/** An oplog entry that changes a collection as a whole. */
interface CollectionChange {
  readonly operation: LoggedChange;
  readonly db: string;
  /** The value of the first field of the command. */
  readonly subject: Value;
  readonly watched: Watched;
}

type EventBuilder = (change: CollectionChange) => EventParts[];

/**
 * The functions that build events, by the name of the command. In an entry of kind `c`, the first field of `o` has this
 * name. In an entry of kind `n`, the first field of `o2` has it.
 */
const builders: Readonly<Record<string, EventBuilder>> = {
  create: expanded('create', ({ operation: { o } }) => ({
    operationDescription: without(o, 'create'),
    nsType: typeOf(o),
  })),
  createIndexes: expanded('createIndexes', ({ operation: { o } }) => ({
    operationDescription: { indexes: [without(o, 'createIndexes')] },
  })),
  commitIndexBuild: expanded('createIndexes', ({ operation: { o } }) => ({
    operationDescription: { indexes: o.get('indexes') },
  })),
  dropIndexes: expanded('dropIndexes', ({ operation: { o2 } }) => ({
    operationDescription: { indexes: o2 === undefined ? [] : [o2] },
  })),
  deleteIndexes: expanded('dropIndexes', ({ operation: { o2 } }) => ({
    operationDescription: { indexes: o2 === undefined ? [] : [o2] },
  })),
  collMod: expanded('modify', ({ operation: { o, o2 } }) => ({
    operationDescription: without(o, 'collMod'),
    stateBeforeChange: {
      collectionOptions: o2?.get('collectionOptions_old'),
      indexOptions: o2?.get('indexOptions_old'),
    },
  })),
  drop: (change) => {
    const ns = { db: change.db, coll: nameOf(change.subject) };
    if (!watches(change.watched, ns.db, ns.coll)) return [];
    return withInvalidate([{ operationType: 'drop', body: { ns } }], change.watched.scope === 'collection');
  },
  renameCollection: renamed,
  dropDatabase: ({ db, watched }) => {
    if (watched.scope === 'collection' || !watchesDatabase(watched, db)) return [];
    return withInvalidate(
      [{ operationType: 'dropDatabase', body: { ns: { db } } }],
      watched.scope === 'database',
    );
  },
  shardCollection: sharding('shardCollection'),
  reshardCollection: sharding('reshardCollection'),
  refineCollectionShardKey: sharding('refineCollectionShardKey'),
};

/** Returns the events of an oplog entry that concerns a whole collection or database, and not one of its documents. */
export function collectionEvents(operation: LoggedChange, watched: Watched): EventParts[] {
  const subject = (operation.kind === 'n' ? operation.o2 : operation.o)?.first();
  const builder = subject && Object.hasOwn(builders, subject.name) ? builders[subject.name] : undefined;
  if (subject === undefined || builder === undefined) return [];
  return builder({ operation, db: namespaceOf(operation.ns).db, subject, watched });
}

/** Builds an event for streams with `showExpandedEvents`. Other streams omit it. */
function expanded(operationType: string, more: (change: CollectionChange) => PlainObject): EventBuilder {
  return (change) => {
    const ns = { db: change.db, coll: nameOf(change.subject) };
    const { watched } = change;
    if (!watched.options.showExpandedEvents || !watches(watched, ns.db, ns.coll)) return [];
    return [{ operationType, body: { ns, ...more(change) } }];
  };
}

function sharding(operationType: string): EventBuilder {
  return ({ operation: { o2 }, subject, watched }) => {
    const ns = namespaceOf(nameOf(subject));
    if (!watched.options.showExpandedEvents || !watches(watched, ns.db, ns.coll)) return [];
    const operationDescription = without(o2 ?? RawDocument.empty, operationType);
    return [{ operationType, body: { ns, operationDescription } }];
  };
}

function renamed({ operation: { o }, subject, watched }: CollectionChange): EventParts[] {
  const ns = namespaceOf(nameOf(subject));
  const to = namespaceOf(nameOf(o.get('to')));
  const concerns = (name: Namespace) => watches(watched, name.db, name.coll);
  if (!concerns(ns) && !concerns(to)) return [];
  const target = o.get('dropTarget');
  const dropTarget = target?.type === bsonTypes.binData ? target : undefined;
  const { showExpandedEvents } = watched.options;
  const body = {
    ns,
    to,
    operationDescription: showExpandedEvents ? { to, dropTarget } : undefined,
  };
  return withInvalidate([{ operationType: 'rename', body }], watched.scope === 'collection');
}

function withInvalidate(events: readonly EventParts[], ends: boolean): EventParts[] {
  return ends ? [...events, { operationType: 'invalidate', body: {}, ends: true }] : [...events];
}

function nameOf(value: Value | undefined): string {
  return value?.type === bsonTypes.string ? textOf(value) : '';
}

function without(document: RawDocument, field: string): RawDocument {
  return writeDocument((writer) => {
    for (const element of document) if (element.name !== field) writer.element(element);
  });
}

function typeOf(options: RawDocument): Value {
  if (options.has('viewOn')) return string('view');
  return string(options.has('timeseries') ? 'timeseries' : 'collection');
}
