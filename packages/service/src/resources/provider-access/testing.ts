/** Rows of access roles, for tests of families that use roles. */
export { insertRole } from './rows.ts';
