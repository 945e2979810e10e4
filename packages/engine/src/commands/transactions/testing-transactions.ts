import { type Document, UUID } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

/** One session and its transactions. */
export class Session {
  readonly lsid = { id: new UUID() };
  readonly #cluster: TestCluster;
  number = 0n;
  #starts = false;

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  begin(): this {
    this.number++;
    this.#starts = true;
    return this;
  }

  run(command: Document): Document {
    const starts = this.#starts ? { startTransaction: true } : {};
    this.#starts = false;
    return this.#cluster.run({ ...command, ...this.step, ...starts });
  }

  send(command: Document) {
    return this.#cluster.send({ ...command, ...this.step });
  }

  get step(): Document {
    return { lsid: this.lsid, txnNumber: this.number, autocommit: false };
  }

  commit(more: Document = {}): Document {
    return this.run({ commitTransaction: 1, $db: 'admin', ...more });
  }

  abort(): Document {
    return this.run({ abortTransaction: 1, $db: 'admin' });
  }

  documents(filter: Document = {}, more: Document = {}): Document[] {
    return this.run({ find: 'c', filter, ...more }).cursor.firstBatch;
  }
}

/** Returns a cluster with a collection `c` of three documents. */
export function clusterWithDocuments(): TestCluster {
  const cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [1, 2, 3].map((_id) => ({ _id, n: 0 })) });
  return cluster;
}

export const insert = (...ids: number[]) => ({ insert: 'c', documents: ids.map((_id) => ({ _id })) });
export const increment = (_id: number) => ({ update: 'c', updates: [{ q: { _id }, u: { $inc: { n: 1 } } }] });
export const remove = (_id: number) => ({ delete: 'c', deletes: [{ q: { _id }, limit: 1 }] });
export const ids = (documents: Document[]) => documents.map(({ _id }) => _id);
