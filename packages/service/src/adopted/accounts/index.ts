export { applyAccounts } from './apply.ts';
export {
  type AccountBook,
  type AccountName,
  disturbedRecord,
  keyOf,
  mergedRecord,
  Outdated,
} from './book.ts';
export { ownRoleOf, serverGrants } from './grants.ts';
export { isMissing, refusalIn } from './refusals.ts';
export { findAccounts } from './server.ts';
export { inOrder } from './wanted.ts';
