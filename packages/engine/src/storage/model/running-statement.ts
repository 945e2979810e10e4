import type { MemoryUse } from '../../language/workspace.ts';
import { WatchedStatement } from '../../statement/statement.ts';
import type { AccessPath, EmptyPlan } from './access-path.ts';

/** What one statement of a write command has done, for its entry of the profiler. */
export interface StatementEffect {
  /** The position of the statement in its command. */
  readonly index: number;
  readonly keysExamined: number;
  readonly docsExamined: number;
  readonly keysInserted: number;
  readonly keysDeleted: number;
  readonly planSummary: string | undefined;
  readonly micros: number;
  /** Numbers of documents that the statement has matched or removed, modified and upserted; absent if it failed. */
  readonly outcome?: { readonly n: number; readonly modified: number; readonly upserted: number };
  /** The code of its error; 0 if there is none. */
  readonly code: number;
}

/** Statistics of what a statement has read, and of the index keys that it has written. */
export interface Examined {
  keys: number;
  documents: number;
  /** Numbers of index keys that the statement has inserted and deleted. */
  keysInserted: number;
  keysDeleted: number;
  /** True if documents were sorted in memory (a blocking sort). */
  sorted: boolean;
  /** Number of sorts that were spilled to disk. */
  spilledSorts: number;
  /** The first access path that the statement used, or its plan without a path. */
  path: AccessPath | EmptyPlan | undefined;
  /** The effects of the statements of a command that the profiler records. */
  statements?: StatementEffect[];
}

export const noneExamined = (): Examined => ({
  keys: 0,
  documents: 0,
  keysInserted: 0,
  keysDeleted: 0,
  sorted: false,
  spilledSorts: 0,
  path: undefined,
});

/** The progress of a long operation: the number of documents that it has read, and the number of all documents. */
export interface Progress {
  done: number;
  readonly total: number;
}

/** The statement that is running on a thread. The files that it reads share this object. */
export class RunningStatement extends WatchedStatement {
  /** What the statement has read since its start. */
  examined: Examined = noneExamined();
  /** False if the statement must not scan a whole collection (`notablescan`). */
  mayScanTables = true;
  /** The operation of the statement; undefined for internal work. */
  operation:
    | {
        readonly isStrict: boolean;
        progress: Progress | undefined;
        expires: number;
        readonly memory: MemoryUse;
      }
    | undefined;

  /** Also adds the bytes to the memory of the operation, because its cursor keeps them until the next `getMore`. */
  override keep(bytes: number, operator: string): void {
    super.keep(bytes, operator);
    if (this.operation !== undefined) this.operation.memory.bytes += bytes;
  }

  protected override release(bytes: number): void {
    super.release(bytes);
    if (this.operation !== undefined) this.operation.memory.bytes -= bytes;
  }
}
