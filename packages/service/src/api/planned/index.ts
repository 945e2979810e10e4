export { plannedOperations } from './catalogue.ts';
export { type Coverage, type CoverageRow, coverage } from './coverage.ts';
export { plannedOperationsOf } from './declare.ts';
export type { PlannedOperation } from './planned.ts';
