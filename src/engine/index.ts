export type { Engine } from './calls.ts';
export * from './embedded/index.ts';
export type * from './engine.ts';
export { isCollectionName, isDatabaseName, isTooLong } from './namespaces.ts';
export { type OplogMark, type OplogPosition, type OplogSegment, oplogFramesOf } from './oplog.ts';
export * from './search/index.ts';
export {
  type CollectionDigest,
  encodeFrame,
  framesOf,
  type Replay,
  type SnapshotCollection,
  type SnapshotContents,
} from './snapshot.ts';
