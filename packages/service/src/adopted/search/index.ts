export type { SearchBook } from './book.ts';
export { searchReply } from './commands.ts';
export { hasSearchIndexes } from './support.ts';
