import { DatabaseSync } from 'node:sqlite';
import { collectGarbage } from './idle-collection.ts';

/** Collects all garbage of this thread, and returns the free memory of the process to the system. */
export function returnMemory(): void {
  collectGarbage();
  trimMemory();
}

/**
 * Returns the free blocks of the C library's allocator to the system, with the GNU C library only. By itself, `malloc`
 * only returns blocks of some size and those at the end of an arena. The blocks between others stay resident: after mixed
 * load, these were 113 MB of the 395 MB of an idle engine host.
 *
 * Node.js cannot call `malloc_trim`, so SQLite's loader of extensions calls it, as if it initialized an extension
 * (docs/decisions/0046-returning-memory.md). The argument, a pointer, is the number of bytes to keep at the end of the
 * arenas. So large a number only means that the end is left to `malloc` itself.
 */
function trimMemory(): void {
  const database = new DatabaseSync(':memory:', { allowExtension: true });
  try {
    database.loadExtension('libc.so.6', 'malloc_trim');
  } catch {
    // SQLite regards the result 1 as an error. It means that memory was returned. With other C libraries, the loader
    // finds no such file or function.
  } finally {
    database.close();
  }
}
