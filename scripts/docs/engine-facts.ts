import { MAX_DEPTH, MAX_DOCUMENT_SIZE, MAX_STORED_DEPTH } from '../../packages/engine/src/bson/validate.ts';
import { SESSION_MINUTES } from '../../packages/engine/src/commands/sessions/session-minutes.ts';
import { MAX_CONNECTIONS } from '../../packages/engine/src/commands/shared/members.ts';
import { MAX_VIEWS } from '../../packages/engine/src/commands/views/view.ts';
import { STAGE_BYTES } from '../../packages/engine/src/language/workspace.ts';
import { MAX_STATEMENTS } from '../../packages/engine/src/message/batch-size.ts';
import { MAX_MESSAGE_BYTES } from '../../packages/engine/src/message/codec.ts';
import { engine } from './limit-rows.ts';

/** Limits of the engine and differences from the reference server that the engine's own tables do not contain. */

export interface Fact {
  readonly topic: string;
  readonly what: string;
}

const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
const grouped = (count: number) => count.toLocaleString('en');
const minutes = (ms: number) => `${ms / 60_000} minutes`;
const seconds = (ms: number) => `${ms / 1000} seconds`;

const names = engine('interface/namespaces');
const pipelines = engine('language/pipeline/compile');
const sandbox = engine('script/sandbox');
const snapshots = engine('worker/snapshot-reads');

export const limits: readonly Fact[] = [
  {
    topic: 'Documents',
    what: `a stored document has at most ${mebibytes(MAX_DOCUMENT_SIZE)} and ${MAX_STORED_DEPTH} levels of nesting. A command has at most ${MAX_DEPTH} levels`,
  },
  {
    topic: 'Messages',
    what: `at most ${grouped(MAX_MESSAGE_BYTES)} bytes; ${grouped(engine('wire/connection')('BEFORE_LOGIN_BYTES'))} bytes before authentication`,
  },
  { topic: 'Statements of one write command', what: `at most ${grouped(MAX_STATEMENTS)}` },
  {
    topic: 'Names',
    what: `at most ${names('MAX_DATABASE_BYTES')} bytes for the name of a database, and ${names('MAX_NAMESPACE_BYTES')} bytes for the names of a database and a collection together`,
  },
  {
    topic: 'Indexes',
    what: `at most ${engine('commands/indexes/create')('MAX_INDEXES')} indexes of a collection, and ${engine('storage/index-specs/key')('MAX_PARTS')} fields of an index`,
  },
  {
    topic: 'Pipelines',
    what: `at most ${grouped(pipelines('MAX_STAGES'))} stages, and ${pipelines('MAX_NESTED')} levels of nested pipelines. A stage uses up to ${mebibytes(STAGE_BYTES)} of memory. If it needs more, it writes to the disk, or fails if \`allowDiskUse\` is false`,
  },
  {
    topic: 'Views',
    what: `at most ${MAX_VIEWS} levels of views that read other views, and ${grouped(engine('commands/views/definition')('MAX_PIPELINE_BYTES'))} bytes for the pipeline of a view`,
  },
  {
    topic: 'Cursors',
    what: `the engine closes a cursor after ${minutes(engine('worker/cursors')('IDLE_MS'))} without \`getMore\``,
  },
  {
    topic: 'Sessions',
    what: `at most ${grouped(engine('parameters/known')('MAX_SESSIONS'))} sessions at the same time. A session ends after ${SESSION_MINUTES} minutes without use`,
  },
  { topic: 'Connections', what: `at most ${grouped(MAX_CONNECTIONS)} per member` },
  {
    topic: 'Transactions',
    what: 'writes stay in memory until the commit: at most 128 MiB per transaction, and 256 MiB for all transactions of a query thread. (A query thread executes the statements of one or several clusters.) `transactionLifetimeLimitSeconds` limits the duration of a transaction. After this time, the engine aborts the transaction, and ends the statement that is running in the transaction',
  },
  {
    topic: 'Snapshot reads',
    what:
      `if a read outside a transaction has the read concern \`snapshot\`, the engine keeps the snapshot until ${seconds(snapshots('KEPT_MS'))} after ` +
      `its last use. It keeps at most ${snapshots('MAX_ENTRIES')} snapshots of a cluster`,
  },
  {
    topic: 'Scripts',
    what:
      `\`$where\`, \`$function\` and \`$accumulator\` run in a sandbox with ${mebibytes(sandbox('MEMORY_BYTES'))} of memory. A call may take ${seconds(sandbox('LONGEST_CALL_MS'))}, or less if ` +
      'the command has a shorter time limit',
  },
  {
    topic: 'Log lines',
    what: 'at most 10 KiB per command (`maxLogSizeKB`). The engine shortens longer lines. The fields `truncated` and `size` of such a line say what was omitted',
  },
  { topic: 'Regular expressions', what: 'at most 16,384 characters' },
];

export const differences: readonly Fact[] = [
  {
    topic: 'Versions',
    what:
      'all clusters have the query language of version 8.2. However, a cluster reports the version and the feature ' +
      'compatibility version with which it was created, or to which it was changed later',
  },
  {
    topic: 'Replication',
    what:
      'the members of a replica set share their data. Secondaries therefore never lag, and a write satisfies its write concern ' +
      'if enough members run. The engine writes periodic no-op entries to the oplog only while clients send requests. It lacks ' +
      'the commands that change the configuration of a replica set; change the cluster by the API instead',
  },
  {
    topic: 'Cluster times',
    what:
      'the engine does not sign the times in `$clusterTime`, and accepts times without a signature from all users. It rejects times ' +
      'more than a year ahead of the service time, and times with a signature of an unknown key',
  },
  {
    topic: 'Sharding',
    what: 'the shards of a cluster share one data file. Chunks and zones are only metadata: `moveChunk` and related commands change the metadata, but move no data. The balancer does not move chunks',
  },
  {
    topic: 'Prepared transactions',
    what: '`prepareTransaction` fails with error 115',
  },
  {
    topic: 'Reads at an earlier time',
    what: 'the engine keeps no history. A read with `atClusterTime` succeeds only if its database has not changed since that time, or if the engine still keeps a snapshot of that time. Otherwise it causes error 239',
  },
  {
    topic: 'Covered queries',
    what: 'if an index contains all required fields, `find` reads only the keys of the index. `count`, and aggregations that only count documents, read only keys if the keys suffice to test the filter. `distinct` can read one document per value. Other commands read the documents',
  },
  {
    topic: 'Wildcard indexes',
    what:
      `the engine records at most ${grouped(engine('storage/model/multikey')('MAX_PATHS'))} paths at which documents in such an index have arrays. With more paths, or in an index of ` +
      'an earlier version whose documents have arrays, each field counts as an array: it cannot serve a sort, and `explain` shows it as an array. Such an index does not cover queries',
  },
  {
    topic: 'Text and geographic indexes',
    what: 'a query that requires a text or geographic index fails if the index is missing. If the index exists, the query nevertheless scans the whole collection. Such an index has no keys, which `validate` shows',
  },
  {
    topic: 'Search indexes',
    what:
      'vector search is always exact, so `numCandidates` has no effect. `returnStoredSource` returns the present values of ' +
      'the fields, not the values at the time of indexing. In `$vectorSearch`, it returns whole documents, like the reference ' +
      'server 8.2. `concurrent`, `tracking` and `searchNodePreference` are validated, but have no effect',
  },
  {
    topic: 'Index filters and query settings',
    what: 'the engine keeps index filters and query settings only in memory, so they are lost when the engine reopens the cluster. A cluster can have 16 MB of each',
  },
  {
    topic: 'Plans',
    what:
      'the planner chooses a plan anew for each query, and compares how many index keys each possible plan would read. ' +
      '`$planCacheStats` lists the query shapes for which several indexes were possible. `$queryStats` and ' +
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
    topic: 'The database `config`',
    what: 'the engine stores sessions and transactions outside of this database. Therefore, the database contains no collections until a setting is stored',
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
      'the engine compares strings by `Intl`, the library for languages in Node.js. `Intl` lacks some options, which the engine ' +
      'adds: `alternate: "shifted"` with strength 4, strength 5, `backwards` and `maxVariable: "space"`. Two differences ' +
      'remain. At strength 4, Japanese syllabaries are compared as at strength 3. With `backwards`, letters that count as ' +
      'one letter in the language are compared one by one',
  },
  {
    topic: 'Sort keys of a collation',
    what:
      'an index with a collation contains sort keys, which the engine computes itself, because `Intl` does not return them. ' +
      'These strings have a sort key: strings of up to 65,536 characters that consist of Latin, Greek and Cyrillic letters, ' +
      'digits and common punctuation. With four options, no string has a sort key: strength 5, `backwards`, ' +
      '`maxVariable: "space"`, and strength 4 together with `alternate: "shifted"`',
  },
  {
    topic: 'Strings without a sort key',
    what:
      'an index finds such a string only by equality. A range query also reads all documents with such strings. An index ' +
      'that contains such a string cannot serve a sort, and rejects strings in `min` and `max`',
  },
  {
    topic: 'Indexes with a collation',
    what:
      'such indexes do not serve queries for documents or arrays that contain strings. In some collations, a sequence of letters ' +
      'in one string can equal a single letter in another string. A unique index does not detect that two such ' +
      'strings are equal. The order of strings depends on the version of Node.js. When the engine opens a file whose index ' +
      'was built with another version of Node.js, it builds the index again',
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
