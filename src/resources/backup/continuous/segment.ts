import type { OplogMark, OplogPosition, OplogSegment } from '../../../engine/index.ts';

/** What rows keep of an oplog is what engines tell. */
export type Position = OplogPosition;
export type Mark = OplogMark;

export interface StoredSegment extends OplogSegment {
  readonly bytes: number;
}
