interface Dropped {
  readonly namespace: string;
  readonly uuid: Uint8Array;
}

/** Thrown by a scan when its collection is dropped. */
export class CollectionDropped extends Error {
  readonly collection: Dropped;

  constructor(collection: Dropped) {
    super(`${collection.namespace} was dropped`);
    this.name = 'CollectionDropped';
    this.collection = collection;
  }
}
