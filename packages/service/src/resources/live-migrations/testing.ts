export { addMigration } from './runs/changes.ts';
