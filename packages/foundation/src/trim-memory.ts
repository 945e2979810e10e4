import { DatabaseSync } from 'node:sqlite';
import { collectGarbage } from './idle-collection.ts';

/** Collects all garbage of this thread, and returns the free memory of the process to the system. */
export function returnMemory(): void {
  collectGarbage();
  trimMemory();
}

/**
 * Returns the free blocks of the C library's allocator to the system, with the GNU C library only. By itself, `malloc`
 * only returns large blocks and those at the end of an arena. The blocks between others stay resident: after mixed
 * load, these were 113 MB of the 395 MB of an idle engine host.
 *
 * Node.js cannot call `malloc_trim`. Therefore SQLite's loader of extensions calls it, as if it initialized an
 * extension (docs/decisions/0046-returning-memory.md). The loader passes a pointer, which `malloc_trim` takes for the
 * number of bytes to keep at the end of the arenas. The number is so large that the ends of the arenas are left to
 * `malloc` itself.
 */
function trimMemory(): void {
  const database = new DatabaseSync(':memory:', { allowExtension: true });
  try {
    database.loadExtension('libc.so.6', 'malloc_trim');
  } catch {
    // SQLite takes the result 1 for an error, but it means that memory was returned. With other C libraries, the loader
    // finds no such file or function.
  } finally {
    database.close();
  }
}
