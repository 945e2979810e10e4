export { type Bounds, type Endpoint, type Interval, intersect, isPoint, point } from './bounds.ts';
export { compileFilter, everything } from './compile.ts';
export type { Condition, Filter } from './filter.ts';
