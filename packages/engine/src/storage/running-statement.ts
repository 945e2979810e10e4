import { WatchedStatement } from '../statement/statement.ts';
import type { AccessPath } from './access.ts';

/** What was read from the file, in index keys and documents. */
export interface Examined {
  keys: number;
  documents: number;
  /** Documents were put in order that no index has. */
  sorted: boolean;
  /** How often such an order did not fit into memory. */
  spilledSorts: number;
  /** The first way to documents that was taken. */
  path: AccessPath | undefined;
}

export const noneExamined = (): Examined => ({
  keys: 0,
  documents: 0,
  sorted: false,
  spilledSorts: 0,
  path: undefined,
});

/** The statement that runs on a thread, as the files see it that are read there. */
export class RunningStatement extends WatchedStatement {
  /** Counts from the beginning of the statement. */
  examined: Examined = noneExamined();
  /** Whether it may look at a whole collection for what it wants. */
  mayScanTables = true;
  /** Who asked for it; nobody where the server itself did. */
  asked: { readonly isStrict: boolean } | undefined;
}
