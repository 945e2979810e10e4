import type { Edge } from '../edge.ts';
import type { Served } from '../routes/served.ts';

/** How a handler reads. */
export interface Reading {
  readonly read: Edge['read'];
  /** Whether all that was read still stands; absent where that cannot be told. */
  readonly unchanged?: () => boolean;
}

/** Notes what the handler of an answer that could be kept reads. */
export function readingOf({ read, services }: Edge, { operation }: Served): Reading {
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
