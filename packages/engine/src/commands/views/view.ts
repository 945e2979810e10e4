import { readCollation } from '../../bson/collation/index.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { encodeKey } from '../../bson/keys.ts';
import { RawDocument } from '../../bson/raw.ts';
import { nullValue, string } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection.ts';

/** Views are documents of a collection of their database; none of them has documents of its own. */

const VIEWS = 'system.views';

/** Views upon views, counted from the first that is on a collection. */
export const MOST_VIEWS = 20;

export interface View {
  readonly name: string;
  readonly on: string;
  readonly pipeline: readonly RawDocument[];
  readonly collation?: RawDocument;
}

/** A collection and what is done with its documents first. */
export interface Source {
  readonly name: string;
  readonly collection: Collection | undefined;
  readonly pipeline: readonly RawDocument[];
  /** Whose collation holds where a command names none. */
  readonly collated: Pick<Collection, 'options'> | undefined;
}

/** The view of that name, where no collection has it. */
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

/** Sorted by name; what stands behind a collection of time series is left out. */
export function viewsOf(store: ClusterStore, database: string): View[] {
  const found: View[] = [];
  const records = store.collection(database, VIEWS)?.scan({ kind: 'byId', reverse: false });
  for (let record = records?.next(); record !== undefined; record = records?.next()) {
    const view = viewOf(record.doc, database);
    if (store.collection(database, view.name) === undefined) found.push(view);
  }
  return found;
}

/** Writes a view down; `system.views` is made when it is not there. */
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

/** False when there is none of that name. */
export function removeView(store: ClusterStore, database: string, name: string): boolean {
  const views = store.collection(database, VIEWS);
  const found = views?.find(viewKey(database, name));
  if (views === undefined || found === undefined) return false;
  // A change stream has to tell a view from what stands behind a collection of time series.
  views.remove(
    found,
    writeDocument((writer) => writer.field('viewOn', found.doc.get('viewOn') ?? nullValue)),
  );
  return true;
}

/** What stands behind a name: a collection, there or not, and the pipelines of the views above it. */
export function sourceOf(store: ClusterStore, database: string, name: string): Source {
  let pipeline: readonly RawDocument[] = [];
  let at = name;
  const named = findView(store, database, name);
  let view = named;
  for (let depth = 0; view !== undefined; depth++) {
    if (depth >= MOST_VIEWS) throw tooDeep();
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

/** Throws where a command names another collation than that of the view that it reads. */
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
    `View depth too deep or view cycle detected; maximum depth is ${MOST_VIEWS}`,
  );
}

/** Throws where the name is a view's. */
export function refuseView(store: ClusterStore, database: string, name: string): void {
  if (findView(store, database, name) !== undefined) throw isView(`${database}.${name}`);
}

export function isView(namespace: string): ServerError {
  return new ServerError('CommandNotSupportedOnView', `Namespace ${namespace} is a view, not a collection`);
}

/** The collection of that name, which is written to. */
export function collectionIn(store: ClusterStore, database: string, name: string): Collection | undefined {
  const found = store.collection(database, name);
  if (found === undefined) refuseView(store, database, name);
  return found;
}
