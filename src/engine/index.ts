export type { Engine } from './calls.ts';
export * from './embedded/index.ts';
export type * from './engine.ts';
export {
  type CollectionDigest,
  encodeFrame,
  framesOf,
  type SnapshotCollection,
  type SnapshotContents,
} from './snapshot.ts';
