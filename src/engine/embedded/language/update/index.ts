export { compileUpdate } from './compile.ts';
export type { Update, UpdateResult } from './update.ts';
