export { compileUpdate } from './compile.ts';
export type { Update, UpdateOptions, UpdateResult } from './update.ts';
