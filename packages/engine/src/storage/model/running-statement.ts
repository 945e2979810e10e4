import { WatchedStatement } from '../../statement/statement.ts';
import type { AccessPath } from './access-path.ts';

/** How many index keys and documents a statement has read. */
export interface Examined {
  keys: number;
  documents: number;
  /** Documents were sorted in memory (a blocking sort). */
  sorted: boolean;
  /** How many sorts were spilled to disk. */
  spilledSorts: number;
  /** The first access path used. */
  path: AccessPath | undefined;
}

export const noneExamined = (): Examined => ({
  keys: 0,
  documents: 0,
  sorted: false,
  spilledSorts: 0,
  path: undefined,
});

/** The statement that is running on a thread, shared with the files that it reads. */
export class RunningStatement extends WatchedStatement {
  /** Counts from the beginning of the statement. */
  examined: Examined = noneExamined();
  /** Whether it may scan a whole collection (`notablescan`). */
  mayScanTables = true;
  /** The operation; undefined for internal work. */
  operation: { readonly isStrict: boolean } | undefined;
}
