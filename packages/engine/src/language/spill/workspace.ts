import { type CodeName, ServerError } from '../../errors/server-error.ts';

/** A file for what does not fit into memory. Whoever opens it closes it. */
export interface SpillFile {
  /** Puts bytes at the end; answers where they begin. */
  append(bytes: Uint8Array): number;
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

/** Who keeps something in memory; each has a limit of its own. */
export type Keeper = 'sort' | 'group' | 'window' | 'other';

/** How much one stage of an operation may hold in memory, and what it does with more. */
export interface Workspace {
  bytes(keeper: Keeper): number;
  /** False: more than that is refused. */
  readonly disk: boolean;
  open(): SpillFile;
  /** Told of each sort that no index has done, and of each time that one did not fit into memory. */
  noted?(what: 'sort' | 'spilledSort'): void;
}

/** As much as stages of the server hold unless its parameters say otherwise. */
export const STAGE_BYTES = 100 << 20;

/** Where there is no disk. */
export const memoryOnly: Workspace = {
  bytes: () => STAGE_BYTES,
  disk: false,
  open() {
    throw new Error('there is no disk to spill to');
  },
};

/** What an object costs besides the bytes of its document. */
export const OVERHEAD = 64;

/** The error for a stage that may not use the disk. */
export function outOfMemory(
  message: string,
  code: number | CodeName = 'QueryExceededMemoryLimitNoDiskUseAllowed',
): ServerError {
  return new ServerError(code, message);
}

/** What stages other than sorts answer. */
export function noDiskFor(stage: string): ServerError {
  return outOfMemory(
    `Exceeded memory limit for ${stage}, but didn't allow external sort. Pass allowDiskUse:true to opt in.`,
  );
}
