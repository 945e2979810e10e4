export { applyAccounts } from './apply.ts';
export { type AccountBook, type AccountName, keyOf, mergedRecord } from './book.ts';
export { findAccounts } from './server.ts';
