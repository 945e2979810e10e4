import type { OplogMark, OplogPosition, OplogSegment } from '@portolan/engine/management';

/** What rows keep of an oplog is what engines tell. */
export type Position = OplogPosition;
export type Mark = OplogMark;

export interface StoredSegment extends OplogSegment {
  readonly bytes: number;
}
