export { enqueue } from './enqueue.ts';
export { NotYet, PermanentFailure, resultOf, step, type TaskContext, type TaskKind } from './kind.ts';
export { listTasks, taskStates } from './list.ts';
export { taskMigrations } from './migrations.ts';
export { progressUnits, type ReportProgress, type TaskProgress } from './progress.ts';
export { openPayload, storeProgress } from './rows.ts';
export type { InjectWorkFault } from './run.ts';
export { every, recurring, startTimetable, type TimetableEntry } from './timetable.ts';
export { startWorker } from './worker.ts';
