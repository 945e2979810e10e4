export { dropAll } from './apply-structure.ts';
export { boundedReplies } from './bounded-messages.ts';
export type { Change } from './changes.ts';
export { Checkpoint, type CollectionCopy, type ReplicationState, Superseded } from './checkpoint.ts';
export { copyCollection } from './copy.ts';
export { databasesOf, helloOf, isCopied, isRouter, membersIn, replicaSetsOf } from './deployments.ts';
export {
  type Endpoints,
  EXACT,
  endpointsOf,
  latestOperationTime,
  namespaceOf,
  rawDb,
  serverCodeOf,
} from './endpoints.ts';
export { HISTORY_LOST, PASSING } from './error-codes.ts';
export { fill, hasChangeStreams } from './fill.ts';
export { Follower, type StreamPosition } from './follow.ts';
export { lastingOr } from './lasting.ts';
export { BUILD_MS, COMMAND_MS } from './limits.ts';
export { ListReader } from './lists.ts';
export { sharesMember } from './names.ts';
export { PermanentError } from './permanent-error.ts';
export { type ChangeBatch, readChanges } from './read-changes.ts';
export { replaceDatabases } from './replace.ts';
export { replayChanges } from './replay.ts';
export { beginExpiry, createCollection, listCopies, shardCollections } from './structure.ts';
export { closeAll, unlessStuck } from './stuck.ts';
