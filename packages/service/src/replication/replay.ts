import { BSON, type Document, type MongoClient } from 'mongodb';
import { namespaceIn, type Planned, Refused, writeInOrder } from './apply.ts';
import { applyStructure } from './apply-structure.ts';
import { type Change, isOfDocument, removal, replacement } from './changes.ts';
import { type Endpoints, namespaceOf, propertiesOf, rawDb } from './endpoints.ts';
import { patched } from './patched.ts';
import { PermanentError } from './permanent-error.ts';

/** This file applies archived changes to a copy of the deployment that they come from. */

/** How many changes of documents are applied together. Their documents are in memory meanwhile. */
const MAX_CHANGES = 100;

/**
 * Applies changes to a deployment that has the data of their source as it was before the first change, and
 * that has no other clients. Throws a `PermanentError` if a change does not fit the data. If it fails, the
 * deployment may contain some of the changes.
 */
export async function replayChanges(
  target: MongoClient,
  changes: AsyncIterable<Change>,
  signal: AbortSignal,
): Promise<void> {
  const replay = new Replay(target, propertiesOf(await target.db('admin').command({ hello: 1 })));
  const batch: Change[] = [];
  const flush = () => replay.applyDocuments(batch.splice(0));
  for await (const change of changes) {
    signal.throwIfAborted();
    if (!isOfDocument(change)) {
      await flush();
      await replay.applyStructure(change);
    } else if (batch.push(change) === MAX_CHANGES) await flush();
  }
  await flush();
}

class Replay {
  readonly #endpoints: Endpoints;
  /** Whether collections are capped, by name. */
  readonly #capped = new Map<string, boolean>();

  constructor(target: MongoClient, properties: Pick<Endpoints, 'targetSharded' | 'targetTakesAll'>) {
    const sourceSharded = properties.targetSharded;
    this.#endpoints = { source: target, target, sourceSharded, ...properties, keepsTtl: true };
  }

  async applyStructure(change: Change): Promise<void> {
    await applyStructure(this.#endpoints, change, true);
    this.#capped.clear();
  }

  async applyDocuments(batch: readonly Change[]): Promise<void> {
    if (batch.length === 0) return;
    const documents = await this.#documentsOf(batch);
    const plans: Planned[] = [];
    for (const change of batch) {
      const capped = await this.#isCapped(namespaceIn(change));
      plans.push(...this.#plan(change, documents, capped));
    }
    await writeInOrder(this.#endpoints, plans).catch((error) => {
      if (!(error instanceof Refused)) throw error;
      const { change, code } = error.failed;
      throw differing(`${namespaceIn(change)} refuses a document with the error ${code}`);
    });
  }

  /** Returns the present documents that the changes replace, update or delete, by `keyOf`. */
  async #documentsOf(batch: readonly Change[]): Promise<Map<string, Document>> {
    const found = new Map<string, Document>();
    const changing = batch.filter(({ operationType }) => operationType !== 'insert');
    for (const [name, own] of Map.groupBy(changing, namespaceIn)) {
      const { db, coll } = namespaceOf(name);
      const ids = own.map(({ documentKey }) => documentKey?._id);
      const documents = rawDb(this.#endpoints.target, db)
        .collection(coll)
        .find({ _id: { $in: ids } } as Document);
      for await (const document of documents) found.set(keyOf(name, document._id), document);
    }
    return found;
  }

  /** Returns the writes of a change. Updates `documents`. */
  #plan(change: Change, documents: Map<string, Document>, isCapped: boolean): Planned[] {
    const { operationType, documentKey, fullDocument = {}, updateDescription = {} } = change;
    const name = namespaceIn(change);
    const key = keyOf(name, documentKey?._id);
    const mode = { sharded: this.#endpoints.targetSharded, exact: true };
    if (operationType === 'insert') {
      documents.set(key, fullDocument);
      return [{ operation: { insertOne: { document: fullDocument } }, change }];
    }
    const before = documents.get(key);
    // A capped collection removes its oldest documents itself, so a document to delete may be gone already.
    if (before === undefined && isCapped) return [];
    if (before === undefined) throw differing(`${name} lacks a document`);
    if (operationType === 'delete') {
      documents.delete(key);
      return [{ operation: removal({ _id: documentKey?._id }, mode), change }];
    }
    const after = operationType === 'update' ? patched(before, updateDescription) : fullDocument;
    documents.set(key, after);
    return replacement(after, mode).map((operation) => ({ operation, change }));
  }

  async #isCapped(name: string): Promise<boolean> {
    const known = this.#capped.get(name);
    if (known !== undefined) return known;
    const { db, coll } = namespaceOf(name);
    const [info] = await this.#endpoints.target.db(db).listCollections({ name: coll }).toArray();
    const capped = (info as Document | undefined)?.options?.capped === true;
    this.#capped.set(name, capped);
    return capped;
  }
}

/** Returns a key for a document. It contains the id in BSON, because the id can have any type. */
function keyOf(name: string, id: unknown): string {
  return `${name} ${Buffer.from(BSON.serialize({ id })).toString('base64')}`;
}

const differing = (reason: string) =>
  new PermanentError(`the archived changes do not continue the snapshot: ${reason}`);
