import { MAX_DEPTH, MAX_DOCUMENT_SIZE, MAX_STORED_DEPTH } from '../../packages/engine/src/bson/validate.ts';
import { SESSION_MINUTES } from '../../packages/engine/src/commands/sessions/session-minutes.ts';
import { MAX_CONNECTIONS } from '../../packages/engine/src/commands/shared/members.ts';
import { MAX_VIEWS } from '../../packages/engine/src/commands/views/view.ts';
import { STAGE_BYTES } from '../../packages/engine/src/language/spill/workspace.ts';
import { MAX_MESSAGE_BYTES } from '../../packages/engine/src/message/codec.ts';

/** What cannot be read off the engine's tables: how far it goes, and where it differs from the reference server. */

export interface Fact {
  readonly topic: string;
  readonly what: string;
}

const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
const grouped = (count: number) => count.toLocaleString('en');

export const limits: readonly Fact[] = [
  {
    topic: 'Documents',
    what: `${mebibytes(MAX_DOCUMENT_SIZE)}, and ${MAX_STORED_DEPTH} levels of nesting; in messages ${MAX_DEPTH} levels`,
  },
  { topic: 'Messages', what: `${grouped(MAX_MESSAGE_BYTES)} bytes; 65,536 before log-in` },
  { topic: 'Statements of one write', what: '100,000' },
  { topic: 'Names', what: '63 bytes for a database, 255 for database and collection together' },
  { topic: 'Indexes', what: '64 for a collection, of at most 32 fields each' },
  {
    topic: 'Pipelines',
    what:
      `1,000 stages, 20 pipelines inside of each other; a stage holds ${mebibytes(STAGE_BYTES)} in memory, and puts more on the disk ` +
      'or, without `allowDiskUse`, answers the code of the reference server',
  },
  { topic: 'Views', what: `${MAX_VIEWS} above each other; pipelines of 16,000,000 bytes` },
  { topic: 'Cursors', what: 'ended after 10 minutes without `getMore`' },
  { topic: 'Sessions', what: `${SESSION_MINUTES} minutes without use; 1,000,000 at a time` },
  { topic: 'Connections', what: `${grouped(MAX_CONNECTIONS)} for a member` },
  {
    topic: 'Transactions',
    what:
      'their writes stay in memory until the commit; `transactionLifetimeLimitSeconds` ends them and nothing else ' +
      'bounds what they hold',
  },
  {
    topic: 'Snapshot reads',
    what:
      'a moment that is read outside of a transaction is kept until nobody has read it for 60 seconds; of more ' +
      'than 8 at once the one that was read the longest ago goes',
  },
  {
    topic: 'Scripts',
    what:
      '`$where`, `$function` and `$accumulator` run in a sandbox with 64 MiB, and 10 seconds for a call where no ' +
      'time limit ends it',
  },
  {
    topic: 'Lines of logs',
    what: 'of a command 10 KiB (`maxLogSizeKB`); `truncated` and `size` tell what is cut',
  },
  { topic: 'Patterns', what: '16,384 characters' },
];

export const differences: readonly Fact[] = [
  {
    topic: 'Versions',
    what:
      "the language is 8.2's for every version; announced numbers and feature compatibility follow the version of " +
      'the cluster',
  },
  {
    topic: 'Replication',
    what:
      'the members of a deployment share one store, so a secondary is never behind, and a write concern is met ' +
      'when enough members run; `replSet…` commands that change the set are not there, as the API does that',
  },
  {
    topic: 'Sharding',
    what:
      'the shards of a deployment share one store; chunks, zones and the balancer are kept and shown, `moveChunk` ' +
      'and its kin move what is shown, and the balancer moves nothing by itself',
  },
  {
    topic: 'Prepared transactions',
    what: '`prepareTransaction` answers 115; there is nobody to prepare for',
  },
  {
    topic: 'Covered queries',
    what: 'answers are read from documents, never from the keys of an index alone',
  },
  {
    topic: 'Text and geographic indexes',
    what: 'their rules hold and queries that need one are refused without it; what they serve is found by a scan',
  },
  {
    topic: 'Search indexes',
    what:
      'vectors are always compared one by one, so that `numCandidates` bounds nothing; `returnStoredSource` shows fields of ' +
      'the document as it is now; `concurrent`, `tracking` and `searchNodePreference` are checked and change nothing',
  },
  {
    topic: 'Index filters and query settings',
    what: 'kept in memory: they are gone when the cluster is opened again',
  },
  {
    topic: 'Plans',
    what:
      'chosen anew for each query, by the number of keys; of queries for which several indexes would do the shapes are ' +
      'kept, which `$planCacheStats` shows; no statistics are, so `$queryStats` and `$listSampledQueries` answer nothing',
  },
  {
    topic: 'Sizes',
    what: 'of documents as they are; storage and index sizes of a collection are estimates, in pages of the file',
  },
  {
    topic: 'Index builds',
    what:
      'an index is built within its command, which answers when it is done; `reIndex` is refused as on every member ' +
      'of a replica set',
  },
  {
    topic: 'The database `local`',
    what: 'holds `oplog.rs` and `system.replset`, in a sharded cluster with the sets of all shards, which share it; there is no `startup_log` to be read',
  },
  {
    topic: '`$sample`, `$bucketAuto`',
    what:
      '`$sample` reads its whole input and holds as many documents as it answers; `$bucketAuto` holds its whole ' +
      'input: both in memory',
  },
  {
    topic: 'Time series',
    what:
      'measurements are kept one by one, and `system.buckets.*` is made of them when it is read, with plain columns ' +
      '(`control.version` 1); buckets with compressed columns cannot be put in',
  },
  {
    topic: 'Validation',
    what: '`validationAction: "warn"` lets a document pass and writes no line to the log',
  },
  {
    topic: 'Collation',
    what:
      'by `Intl`, and put together from several collators for what it lacks (`alternate: "shifted"` at strength 4, ' +
      'strength 5, `backwards`, `maxVariable: "space"`). Only nearly so: strength 4 tells nothing more than 3 about ' +
      'Japanese syllabaries, and a contraction of several letters does not survive being read backwards',
  },
  {
    topic: 'Keys under a collation',
    what:
      'a text stands for all that equal it letter by letter; where a language takes several letters for one that ' +
      'is written otherwise, two equal texts may stay apart in a unique index',
  },
  {
    topic: 'Auditing',
    what:
      'told: log-in, log-out, refused commands, changes of users, roles, collections, indexes, sharding and ' +
      'parameters, databases that are dropped; not told: `addShard`, `applicationMessage`, `clientMetadata`, ' +
      '`createDatabase`, `directAuthMutation`, `refineCollectionShardKey`, `removeShard`, `replSetReconfig`, ' +
      '`shutdown`, `startup`',
  },
  {
    topic: 'Encryption',
    what:
      'collections with `encryptedFields` are made and their values kept as they come; nothing is ever compacted, ' +
      'and the operators that query by text or by range with tokens are not there',
  },
  {
    topic: 'Fail points',
    what:
      '`configureFailPoint` knows `failCommand`, `failGetMoreAfterCursorCheckout`, `maxTimeAlwaysTimeOut`, ' +
      '`maxTimeNeverTimeOut`, ' +
      '`onPrimaryTransactionalWrite` and `stopReplProducer`, and only where the engine runs alone: there ' +
      '`enableTestCommands` is true',
  },
];
