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
    what: `${mebibytes(MAX_DOCUMENT_SIZE)}, and ${MAX_STORED_DEPTH} levels of nesting; ${MAX_DEPTH} levels in a command`,
  },
  { topic: 'Messages', what: `${grouped(MAX_MESSAGE_BYTES)} bytes; 65,536 before authentication` },
  { topic: 'Statements of one write command', what: '100,000' },
  {
    topic: 'Names',
    what: '63 bytes for the name of a database, 255 bytes for the names of a database and a collection together',
  },
  { topic: 'Indexes', what: '64 for a collection, of at most 32 fields each' },
  {
    topic: 'Pipelines',
    what: `1,000 stages, and 20 levels of nested pipelines. A stage uses up to ${mebibytes(STAGE_BYTES)} of memory. If it needs more, it writes to the disk, or fails if \`allowDiskUse\` is false`,
  },
  {
    topic: 'Views',
    what: `up to ${MAX_VIEWS} levels of views that read other views; up to 16,000,000 bytes for the pipeline of a view`,
  },
  { topic: 'Cursors', what: 'the engine closes a cursor after 10 minutes without `getMore`' },
  {
    topic: 'Sessions',
    what: `at most 1,000,000 sessions at the same time. A session ends after ${SESSION_MINUTES} minutes without use`,
  },
  { topic: 'Connections', what: `${grouped(MAX_CONNECTIONS)} per member` },
  {
    topic: 'Transactions',
    what: 'writes stay in memory until the commit: at most 128 MiB per transaction, and 256 MiB for all transactions of a query thread. `transactionLifetimeLimitSeconds` limits the duration of a transaction. When it has passed, the engine also ends the statement that is running in the transaction',
  },
  {
    topic: 'Snapshot reads',
    what:
      'if a read outside a transaction has the read concern `snapshot`, the engine keeps the snapshot until 60 seconds after ' +
      'its last use. It keeps at most 8 snapshots',
  },
  {
    topic: 'Scripts',
    what:
      '`$where`, `$function` and `$accumulator` run in a sandbox with 64 MiB of memory. A call may take 10 seconds, or less if ' +
      'the command has a shorter time limit',
  },
  {
    topic: 'Log lines',
    what: '10 KiB per command (`maxLogSizeKB`). The engine shortens longer lines; the fields `truncated` and `size` of the line describe the omitted part',
  },
  { topic: 'Regular expressions', what: '16,384 characters' },
];

export const differences: readonly Fact[] = [
  {
    topic: 'Versions',
    what:
      'clusters of all versions have the query language of version 8.2. However, a cluster reports the version and the feature ' +
      'compatibility version that it was created with or updated to',
  },
  {
    topic: 'Replication',
    what:
      'the members of a replica set share their data, so secondaries never lag, and a write concern is met if enough ' +
      'members run. The engine writes periodic no-op entries to the oplog only while clients send requests. Commands that change ' +
      'the replica set configuration are missing; change the cluster by the API instead',
  },
  {
    topic: 'Sharding',
    what: 'the shards of a cluster share one data file. Chunks and zones are only metadata, which `moveChunk` and related commands change. The balancer does not move chunks',
  },
  {
    topic: 'Prepared transactions',
    what: '`prepareTransaction` fails with error 115',
  },
  {
    topic: 'Covered queries',
    what: 'if an index contains all required fields, `find` reads only the keys of the index. All other commands always read the documents',
  },
  {
    topic: 'Compound wildcard indexes',
    what: 'the index has no keys for a document that lacks all fields to which the wildcard applies, so it serves only queries that test one of these fields',
  },
  {
    topic: 'Text and geographic indexes',
    what: 'a query that requires a text or geographic index fails if the index is missing. If the index exists, the query still scans the whole collection',
  },
  {
    topic: 'Search indexes',
    what:
      'vector search is always exact, so `numCandidates` has no effect. `returnStoredSource` returns the current fields of ' +
      'the document, not those at the time of indexing. `concurrent`, `tracking` and `searchNodePreference` are validated, but have no effect',
  },
  {
    topic: 'Index filters and query settings',
    what: 'the engine keeps them in memory and does not write them to the disk, so they are lost when the engine reopens the cluster',
  },
  {
    topic: 'Plans',
    what:
      'the planner chooses a new plan for each query, by the number of index keys that each plan would read. ' +
      '`$planCacheStats` lists the shapes of queries that could use several indexes. `$queryStats` and ' +
      '`$listSampledQueries` return no documents',
  },
  {
    topic: 'Sizes',
    what: 'the reported sizes of documents are exact. The engine estimates the storage and index sizes of a collection from the pages of the file',
  },
  {
    topic: 'Index builds',
    what: '`createIndexes` returns when the index is complete. `reIndex` always fails, because it is not allowed on members of replica sets',
  },
  {
    topic: 'The database `local`',
    what: 'it contains `oplog.rs` and `system.replset`, which all shards of a sharded cluster share. It has no `startup_log`',
  },
  {
    topic: '`$sample`, `$bucketAuto`',
    what: '`$sample` reads its whole input, and keeps its result in memory. `$bucketAuto` keeps its whole input in memory',
  },
  {
    topic: 'Time series',
    what:
      'measurements are stored individually. Buckets in `system.buckets.*` are computed when they are read, with ' +
      'uncompressed columns (`control.version` 1). Buckets with compressed columns cannot be inserted',
  },
  {
    topic: 'Validation',
    what: 'with `validationAction: "warn"`, an invalid document is stored without a warning in the log',
  },
  {
    topic: 'Collation',
    what:
      'the engine uses `Intl`, and several collators for options that `Intl` lacks (`alternate: "shifted"` at strength 4, ' +
      'strength 5, `backwards`, `maxVariable: "space"`). Two differences remain: for Japanese syllabaries, strength 4 has the ' +
      'effect of strength 3; and `backwards` compares the letters of a contraction one by one',
  },
  {
    topic: 'Keys under a collation',
    what:
      '`Intl` does not return sort keys, so the engine computes the index keys of strings itself. Strings in Latin, Greek and ' +
      'Cyrillic letters, digits and common punctuation have sort keys. Other strings, and strings of more than 65,536 ' +
      'characters, have keys that support only equality. A range query also reads all documents with such strings. An index ' +
      'that contains such a string cannot serve a sort, and rejects strings in `min` and `max`. Some ' +
      'collations treat a sequence of letters as another spelling of a letter. If two such strings are equal for this reason, ' +
      'a unique index does not detect it. With four options, no string has a sort key: strength 5, `backwards`, ' +
      '`maxVariable: "space"`, and strength 4 together with `alternate: "shifted"`. An index with a collation does not serve ' +
      'queries for documents or arrays that contain strings. The order of strings depends on the version of Node.js. When the ' +
      'engine opens a file whose index was built with another version of Node.js, it builds the index again',
  },
  {
    topic: 'Auditing',
    what: 'all message types are recorded except `importCollection`',
  },
  {
    topic: 'Encryption',
    what:
      'collections with `encryptedFields` store values as the driver sends them. The engine does not compact the metadata of ' +
      'encrypted fields, and does not support text and range queries on them',
  },
  {
    topic: 'Fail points',
    what:
      '`configureFailPoint` exists only in databases of `npm run engine`. It supports `failCommand`, `failGetMoreAfterCursorCheckout`, ' +
      '`maxTimeAlwaysTimeOut`, `maxTimeNeverTimeOut`, `onPrimaryTransactionalWrite` and `stopReplProducer`',
  },
];
