import type { Edge } from '../edge.ts';
import type { OperationVersion } from '../routes/operation-version.ts';

/** The function with which a handler reads from the store. */
export interface Reading {
  readonly read: Edge['read'];
  /** Returns true if nothing that was read has changed in the meantime. Absent if changes cannot be tracked. */
  readonly unchanged?: () => boolean;
}

/**
 * Tracks what the handler of a cacheable operation reads, so that its response can be cached until a table changes.
 */
export function readingOf({ read, services }: Edge, { operation }: OperationVersion): Reading {
  const { watch } = services.store;
  if (watch === undefined || operation.sameForAll !== true) return { read };
  const checks: (() => boolean)[] = [];
  return {
    async read(work) {
      const { value, unchanged } = await watch(work);
      checks.push(unchanged);
      return value;
    },
    unchanged: () => checks.every((check) => check()),
  };
}
