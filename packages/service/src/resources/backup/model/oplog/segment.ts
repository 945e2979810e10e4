import type { OplogMark, OplogPosition, OplogSegment } from '@portolan/engine/management';

/** Rows store positions and marks in the form in which engines report them. */
export type Position = OplogPosition;
export type Mark = OplogMark;

export interface StoredSegment extends OplogSegment {
  readonly bytes: number;
}
