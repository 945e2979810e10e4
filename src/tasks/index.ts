export { type EnqueueOptions, enqueue } from './enqueue.ts';
export { NotYet, PermanentFailure, type TaskContext, type TaskKind, type TaskStep } from './kind.ts';
export { taskMigrations } from './migrations.ts';
export { every, recurring, startTimetable, type Timetable, type TimetableEntry } from './timetable.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker.ts';
