/**
 * `portolan/memory-server`: the classes of `mongodb-memory-server` over the embedded engine, so that a project changes
 * one import and downloads no server. docs/testing.md says which options have a meaning here.
 */
export * as errors from './errors.ts';
export { MongoInstance, MongoInstanceEvents } from './instance.ts';
export type {
  AutomaticAuth,
  Cleanup,
  CreateUser,
  DisposeOptions,
  MemoryServerInstanceOpts,
  MongoBinaryOpts,
  MongoMemoryInstanceOptsBase,
  MongoMemoryReplSetOpts,
  MongoMemoryServerOpts,
  ReplicaMemberConfig,
  ReplSetOpts,
} from './options.ts';
export { MongoMemoryReplSet, MongoMemoryReplSetEvents, MongoMemoryReplSetStates } from './repl-set.ts';
export {
  type MongoInstanceData,
  MongoMemoryServer as default,
  MongoMemoryServer,
  MongoMemoryServerEvents,
  MongoMemoryServerStates,
} from './server.ts';
