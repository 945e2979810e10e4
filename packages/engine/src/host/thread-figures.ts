import { getHeapStatistics } from 'node:v8';
import type { SearchMemory, SearchSample } from '../interface/engine.ts';

/** Returns the memory use of the calling thread. */
export function threadMemory(): SearchMemory {
  const heap = getHeapStatistics();
  const outside = heap.external_memory + heap.malloced_memory;
  return {
    resident: heap.total_physical_size + outside,
    virtual: heap.total_heap_size + outside,
    heap: heap.used_heap_size,
    most: heap.heap_size_limit,
  };
}

/** Statistics that a search thread reports about itself. */
export type ThreadFigures = Pick<SearchSample, 'memory' | 'processor'>;

export const noFigures: ThreadFigures = {
  processor: { user: 0, kernel: 0 },
  memory: { resident: 0, virtual: 0, heap: 0, most: 0 },
};

export function addFigures(one: ThreadFigures, other: ThreadFigures): ThreadFigures {
  return {
    processor: {
      user: one.processor.user + other.processor.user,
      kernel: one.processor.kernel + other.processor.kernel,
    },
    memory: {
      resident: one.memory.resident + other.memory.resident,
      virtual: one.memory.virtual + other.memory.virtual,
      heap: one.memory.heap + other.memory.heap,
      most: one.memory.most + other.memory.most,
    },
  };
}
