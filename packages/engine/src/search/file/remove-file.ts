import { join } from 'node:path';
import { removeDatabase } from '../../storage/file/remove-database.ts';

export const SEARCH_FILE = 'search.db';

/** Deletes the search file when its data is gone or its key has changed. The file must be closed. */
export function removeSearchFile(dir: string): void {
  removeDatabase(join(dir, SEARCH_FILE));
}
