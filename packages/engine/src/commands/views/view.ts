import { readCollation } from '../../bson/collation/index.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { encodeKey } from '../../bson/keys.ts';
import { RawDocument } from '../../bson/raw.ts';
import { nullValue, string } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';

/** The collection with the view definitions of a database. Views themselves store no documents. */

const VIEWS = 'system.views';

/** Maximum length of a chain of views. */
export const MAX_VIEWS = 20;

export interface View {
  readonly name: string;
  readonly on: string;
  readonly pipeline: readonly RawDocument[];
  readonly collation?: RawDocument;
}

/** The collection at the end of a chain of views, and the stages that these views add. */
export interface Source {
  readonly name: string;
  readonly collection: Collection | undefined;
  readonly pipeline: readonly RawDocument[];
  /** The collection or view that determines the default collation. */
  readonly collated: Pick<Collection, 'options'> | undefined;
}

/** Returns the view with this name. Returns undefined if there is none, or if a collection has this name. */
export function findView(store: ClusterStore, database: string, name: string): View | undefined {
  const views = store.collection(database, VIEWS);
  if (views === undefined || store.collection(database, name) !== undefined) return undefined;
  const found = views.find(viewKey(database, name));
  return found && viewOf(found.doc, database);
}

function viewKey(database: string, name: string): Uint8Array {
  return encodeKey(string(`${database}.${name}`));
}

function viewOf(doc: RawDocument, database: string): View {
  const collation = doc.document('collation');
  return {
    name: (doc.string('_id') ?? '').slice(database.length + 1),
    on: doc.string('viewOn') ?? '',
    pipeline: doc.documents('pipeline') ?? [],
    ...(collation ? { collation } : {}),
  };
}

/** Returns the views of a database, sorted by name. Omits the views of time series. */
export function viewsOf(store: ClusterStore, database: string): View[] {
  const found: View[] = [];
  const records = store.collection(database, VIEWS)?.scan({ kind: 'byId', reverse: false });
  for (let record = records?.next(); record !== undefined; record = records?.next()) {
    const view = viewOf(record.doc, database);
    if (store.collection(database, view.name) === undefined) found.push(view);
  }
  return found;
}

/**
 * Returns the number of views of a database, without reading them: a database can have tens of thousands. Views of time
 * series are not counted.
 */
export function viewCount(store: ClusterStore, database: string, collections: readonly Collection[]): number {
  const views = store.collection(database, VIEWS);
  if (views === undefined) return 0;
  const series = collections.filter(
    ({ name, options }) => options.has('timeseries') && views.find(viewKey(database, name)) !== undefined,
  );
  return views.documents - series.length;
}

/** Stores a view definition. Creates `system.views` if it does not exist. */
export function storeView(store: ClusterStore, database: string, view: View): void {
  const views = store.collection(database, VIEWS) ?? store.create(database, VIEWS, RawDocument.empty);
  const key = viewKey(database, view.name);
  const doc = new RawDocument(
    encodeDocument({
      _id: `${database}.${view.name}`,
      viewOn: view.on,
      pipeline: view.pipeline,
      collation: view.collation,
    }),
  );
  const before = views.find(key);
  if (before === undefined) views.insert(key, doc);
  else views.replace(before, doc);
}

/** Removes a view definition. Returns false if there is no such view. */
export function removeView(store: ClusterStore, database: string, name: string): boolean {
  const views = store.collection(database, VIEWS);
  const found = views?.find(viewKey(database, name));
  if (views === undefined || found === undefined) return false;
  // The oplog entry needs `viewOn`: change streams use this field to recognize views of time series.
  views.remove(
    found,
    writeDocument((writer) => writer.field('viewOn', found.doc.get('viewOn') ?? nullValue)),
  );
  return true;
}

/**
 * Finds the collection under a chain of views. Returns its name, the collection if it exists, and the pipelines of the
 * views.
 */
export function sourceOf(store: ClusterStore, database: string, name: string): Source {
  let pipeline: readonly RawDocument[] = [];
  let at = name;
  const named = findView(store, database, name);
  let view = named;
  for (let depth = 0; view !== undefined; depth++) {
    if (depth >= MAX_VIEWS) throw tooDeep();
    pipeline = [...view.pipeline, ...pipeline];
    at = view.on;
    view = findView(store, database, at);
  }
  const collection = store.collection(database, at);
  return { name: at, collection, pipeline, collated: named === undefined ? collection : collatedAs(named) };
}

function collatedAs({ collation }: View): Pick<Collection, 'options'> {
  return {
    options:
      collation === undefined ? RawDocument.empty : RawDocument.from({ collation: collation.toObject() }),
  };
}

/** Throws if the command and the view have different collations. */
export function checkCollation(view: View, collation: RawDocument | undefined): void {
  if (collation === undefined || collation.isEmpty) return;
  const own = view.collation && readCollation(view.collation);
  if (JSON.stringify(readCollation(collation)) === JSON.stringify(own)) return;
  throw new ServerError(
    'OptionNotSupportedOnView',
    `Cannot override the default collation of a view: ${view.name}`,
  );
}

export function tooDeep(): ServerError {
  return new ServerError(
    'ViewDepthLimitExceeded',
    `View depth too deep or view cycle detected; maximum depth is ${MAX_VIEWS}`,
  );
}

/** Throws if a view has the name. */
export function rejectView(store: ClusterStore, database: string, name: string): void {
  if (findView(store, database, name) !== undefined) throw notSupportedOnView(`${database}.${name}`);
}

export function notSupportedOnView(namespace: string): ServerError {
  return new ServerError('CommandNotSupportedOnView', `Namespace ${namespace} is a view, not a collection`);
}

/** Returns the collection with this name, for writing. Throws if a view has this name. */
export function collectionIn(store: ClusterStore, database: string, name: string): Collection | undefined {
  const found = store.collection(database, name);
  if (found === undefined) rejectView(store, database, name);
  return found;
}
