export { compileUpdate } from './compile.ts';
export type { Update, UpdateOptions } from './update.ts';
