/**
 * States of an archive. `PENDING`: no run has succeeded yet, or the project has no export bucket. `PAUSING`: the
 * current run is ending. `ORPHANED`: the collection was dropped after the first run.
 */
export const archiveStates = ['PENDING', 'ACTIVE', 'PAUSING', 'PAUSED', 'ORPHANED'] as const;
export type ArchiveState = (typeof archiveStates)[number];

/** Whether a caller has paused an archive in this state. */
export const isPaused = (state: ArchiveState) => state === 'PAUSING' || state === 'PAUSED';
