import { MAX_DEPTH, MAX_DOCUMENT_SIZE, MAX_STORED_DEPTH } from '../../packages/engine/src/bson/validate.ts';
import { SESSION_MINUTES } from '../../packages/engine/src/commands/sessions/session-minutes.ts';
import { MAX_CONNECTIONS } from '../../packages/engine/src/commands/shared/members.ts';
import { MAX_VIEWS } from '../../packages/engine/src/commands/views/view.ts';
import { STAGE_BYTES } from '../../packages/engine/src/language/workspace.ts';
import { MAX_MESSAGE_BYTES } from '../../packages/engine/src/message/codec.ts';

/** Limits of the engine and differences from the reference server that the engine's own tables do not contain. */

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
  { topic: 'Messages', what: `${grouped(MAX_MESSAGE_BYTES)} bytes; 65,536 before authentication` },
  { topic: 'Statements of one write', what: '100,000' },
  { topic: 'Names', what: '63 bytes for a database, 255 for database and collection together' },
  { topic: 'Indexes', what: '64 for a collection, of at most 32 fields each' },
  {
    topic: 'Pipelines',
    what:
      `1,000 stages, 20 levels of nested pipelines; a stage holds up to ${mebibytes(STAGE_BYTES)} in memory, then spills to disk or, ` +
      'without `allowDiskUse`, fails like the reference server',
  },
  { topic: 'Views', what: `${MAX_VIEWS} levels; pipelines of 16,000,000 bytes` },
  { topic: 'Cursors', what: 'closed after 10 minutes without `getMore`' },
  { topic: 'Sessions', what: `${SESSION_MINUTES} minutes without use; 1,000,000 at a time` },
  { topic: 'Connections', what: `${grouped(MAX_CONNECTIONS)} for a member` },
  {
    topic: 'Transactions',
    what:
      'writes are held in memory until the commit: at most 128 MiB for a transaction, 256 MiB for all of a query ' +
      'thread; `transactionLifetimeLimitSeconds` limits the time',
  },
  {
    topic: 'Snapshot reads',
    what:
      'a snapshot read outside a transaction is kept until it has not been used for 60 seconds; of more than 8, the ' +
      'least recently used is dropped',
  },
  {
    topic: 'Scripts',
    what:
      '`$where`, `$function` and `$accumulator` run in a sandbox with 64 MiB, and 10 seconds per call unless a ' +
      'shorter time limit applies',
  },
  {
    topic: 'Log lines',
    what: '10 KiB per command (`maxLogSizeKB`); `truncated` and `size` describe the omitted part',
  },
  { topic: 'Regular expressions', what: '16,384 characters' },
];

export const differences: readonly Fact[] = [
  {
    topic: 'Versions',
    what:
      'all versions support the language of 8.2; reported version numbers and feature compatibility follow the version of ' +
      'the cluster',
  },
  {
    topic: 'Replication',
    what:
      'the members of a deployment share one store, so secondaries never lag, and a write concern is satisfied ' +
      'when enough members run; the periodic no-op stops while nobody asks for a cluster; `replSet…` commands that ' +
      'reconfigure the set are missing, since the API does that',
  },
  {
    topic: 'Sharding',
    what:
      'the shards of a deployment share one store; chunks, zones and the balancer are metadata, which `moveChunk` ' +
      'and related commands change; the balancer moves nothing by itself',
  },
  {
    topic: 'Prepared transactions',
    what: '`prepareTransaction` fails with 115',
  },
  {
    topic: 'Covered queries',
    what: 'only `find` can be answered from index keys alone; all other commands read documents',
  },
  {
    topic: 'Text and geographic indexes',
    what: 'their rules are enforced, and queries that need one fail without it; the queries themselves scan the collection',
  },
  {
    topic: 'Search indexes',
    what:
      'vector search is always exact, so `numCandidates` has no effect; `returnStoredSource` returns current fields of ' +
      'the document; `concurrent`, `tracking` and `searchNodePreference` are validated and ignored',
  },
  {
    topic: 'Index filters and query settings',
    what: 'kept in memory, and lost when the cluster is reopened',
  },
  {
    topic: 'Plans',
    what:
      'chosen for each query by the number of keys; shapes of queries with several candidate indexes are kept for ' +
      '`$planCacheStats`; there are no statistics, so `$queryStats` and `$listSampledQueries` return nothing',
  },
  {
    topic: 'Sizes',
    what: 'sizes of documents are exact; storage and index sizes of a collection are estimates in file pages',
  },
  {
    topic: 'Index builds',
    what:
      'an index is built within its command, which returns when it is complete; `reIndex` fails, as on every member ' +
      'of a replica set',
  },
  {
    topic: 'The database `local`',
    what: 'holds `oplog.rs` and `system.replset`, in a sharded cluster shared by all shards; there is no `startup_log`',
  },
  {
    topic: '`$sample`, `$bucketAuto`',
    what:
      '`$sample` reads its whole input and holds its result in memory; `$bucketAuto` holds its whole input in ' +
      'memory',
  },
  {
    topic: 'Time series',
    what:
      'measurements are stored individually; `system.buckets.*` is computed when it is read, with uncompressed columns ' +
      '(`control.version` 1); buckets with compressed columns cannot be inserted',
  },
  {
    topic: 'Validation',
    what: '`validationAction: "warn"` accepts the document without a log line',
  },
  {
    topic: 'Collation',
    what:
      'implemented with `Intl`, and with several collators for what it lacks (`alternate: "shifted"` at strength 4, ' +
      'strength 5, `backwards`, `maxVariable: "space"`). Differences remain: strength 4 equals 3 for ' +
      'Japanese syllabaries, and `backwards` splits contractions',
  },
  {
    topic: 'Keys under a collation',
    what:
      'keys are normalized letter by letter; in languages where several letters equal another letter, a unique index ' +
      'may accept two equal strings',
  },
  {
    topic: 'Auditing',
    what: 'all message types are recorded except `importCollection`',
  },
  {
    topic: 'Encryption',
    what:
      'collections with `encryptedFields` can be created and store values as sent; they are never compacted, and text ' +
      'and range queries with tokens are not supported',
  },
  {
    topic: 'Fail points',
    what:
      '`configureFailPoint` knows `failCommand`, `failGetMoreAfterCursorCheckout`, `maxTimeAlwaysTimeOut`, ' +
      '`maxTimeNeverTimeOut`, ' +
      '`onPrimaryTransactionalWrite` and `stopReplProducer`, and only in `npm run engine`, where ' +
      '`enableTestCommands` is true',
  },
];
