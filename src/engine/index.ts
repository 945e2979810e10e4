export * from './embedded/index.ts';
export type * from './engine.ts';
