import type { Topic } from '../../../../store/index.ts';
import type { SnapshotRow } from './rows.ts';

/** Published when a snapshot is complete. */
export const snapshotCompleted: Topic<SnapshotRow> = { name: 'snapshot completed' };

/** Published when a snapshot is deleted or has expired. */
export const snapshotForgotten: Topic<SnapshotRow> = { name: 'snapshot forgotten' };
