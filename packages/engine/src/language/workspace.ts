import { type CodeName, ServerError } from '../errors/server-error.ts';

/** A temporary file for documents beyond the memory limit. The caller of `open` closes it. */
export interface SpillFile {
  /** Appends bytes; returns their offset. */
  append(bytes: Uint8Array): number;
  /** Returns `length` bytes. Throws if the file ends before them. */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

/** Categories of memory, each with a limit of its own. */
export type MemoryCategory = 'sort' | 'group' | 'window' | 'other';

/** The memory that the stages of one pipeline hold together. */
export interface MemoryUse {
  bytes: number;
}

/** The memory limits of a stage, and whether it may spill to disk. */
export interface Workspace {
  bytes(category: MemoryCategory): number;
  /** True if a stage may spill to disk. Otherwise exceeding the limit is an error. */
  readonly disk: boolean;
  /** The memory of the pipeline, which the stages change. */
  readonly use: MemoryUse;
  open(): SpillFile;
  /** Called for each in-memory sort, and whenever a sort spills. */
  noted?(what: 'sort' | 'spilledSort'): void;
}

/** The server's default memory limit per stage. */
export const STAGE_BYTES = 100 << 20;

/** A workspace without spilling to disk. */
export const memoryOnly: Workspace = {
  bytes: () => STAGE_BYTES,
  disk: false,
  use: { bytes: 0 },
  open() {
    throw new Error('there is no disk to spill to');
  },
};

/** Estimated memory per object, in addition to the bytes of its document. */
export const OVERHEAD = 64;

/** Returns a workspace for work that ends within one stage. Its memory does not count in the memory of the pipeline. */
export function uncounted(workspace: Workspace): Workspace {
  return {
    bytes: (category) => workspace.bytes(category),
    disk: workspace.disk,
    use: { bytes: 0 },
    open: () => workspace.open(),
    noted: (what) => workspace.noted?.(what),
  };
}

/** The memory of one stage. It counts in the memory of the pipeline. */
export class StageMemory {
  readonly #use: MemoryUse;
  #bytes = 0;

  constructor({ use }: Workspace = memoryOnly) {
    this.#use = use;
  }

  get bytes(): number {
    return this.#bytes;
  }

  set bytes(bytes: number) {
    this.#use.bytes += bytes - this.#bytes;
    this.#bytes = bytes;
  }
}

/** Returns the error of a stage that exceeds its memory limit and must not spill to disk. */
export function outOfMemory(
  message: string,
  code: number | CodeName = 'QueryExceededMemoryLimitNoDiskUseAllowed',
): ServerError {
  return new ServerError(code, message);
}

/** Returns the error of a stage other than a sort that exceeds its memory limit and must not spill to disk. */
export function noDiskFor(stage: string): ServerError {
  return outOfMemory(
    `Exceeded memory limit for ${stage}, but didn't allow external sort. Pass allowDiskUse:true to opt in.`,
  );
}
