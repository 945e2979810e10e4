/**
 * `portolan/memory-server`: the classes of `mongodb-memory-server` on the embedded engine, so that a project changes
 * one import and downloads no server. docs/testing.md lists the options that take effect.
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
