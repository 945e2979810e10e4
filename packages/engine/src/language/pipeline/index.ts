export { compilePipeline } from './compile.ts';
export type { Pipeline } from './pipeline.ts';
