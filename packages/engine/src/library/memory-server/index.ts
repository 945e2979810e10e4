/**
 * `portolan/memory-server` has the classes of `mongodb-memory-server`, but uses the embedded engine. A project changes
 * one import and no longer downloads a server. docs/testing.md lists the options that have an effect.
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
