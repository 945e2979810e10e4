import { bytes, count, engine, type Row, time } from './limit-rows.ts';
import { table } from './markdown.ts';
import { requestLimits } from './request-limits.ts';

function timeRows(): Row[] {
  const statements = engine('worker/statements');
  const threads = engine('host/stuck-watch');
  return [
    [
      'Running time of a statement without a pause',
      `${time(statements('LONGEST_SLICE_MS'))} while other statements wait. A statement checks the time after every ${engine('bson/turns')('STEPS')} values that it reads, creates, compares or copies, and in its other loops`,
      'The statement pauses, and other statements run. Checks of the time also end the statement after `maxTimeMS`, after `killOp`, or when its connection has closed',
    ],
    [
      'Running time of a *nested* statement: a statement that begins while other statements of the thread are paused',
      `as long as the paused statements have already run, but at least ${time(statements('SHORT_MS'))}`,
      `The engine rolls the statement back, and runs it again later with a limit ${statements('BUDGET_GROWTH')} times as high. After ${statements('NESTED_ATTEMPTS')} attempts, it waits until the paused statements have ended. There are two exceptions: a nested \`getMore\` ends its batch after ${time(statements('BATCH_MS'))}, and nested statements in transactions have no limit ([why](decisions/0067-budgets-of-nested-statements.md))`,
    ],
    [
      'Paused statements on one thread. Each of them has its own memory limits (below)',
      count(statements('NESTED_ATTEMPTS')),
      'Further statements wait until a paused statement has ended',
    ],
    [
      'Statements of one cluster that start in a row while a statement of another cluster waits',
      '1',
      'A statement of the other cluster starts next',
    ],
    [
      'Time for which the waiting writes of a cluster share a transaction',
      `${time(engine('worker/scheduler')('GROUP_MS'))}, and longer if the last of the writes takes longer`,
      'The other writes wait for the next transaction of the cluster. Before it, requests of other clusters have a turn',
    ],
    [
      'Running time of a statement that shares a write transaction with other statements. (Writes that wait at the same time share a transaction, and so a commit.)',
      time(statements('SHARED_MS')),
      'The statement is rolled back, and runs again later',
    ],
    [
      'Time without a heartbeat from a query thread',
      `${time(threads('STUCK_MS'))}, and then ${time(threads('UNENDED_MS'))} for the thread to end. If the machine is so busy that the engine host gets little CPU time, up to six times as long`,
      'The engine host ends the thread and closes its connections, and another thread opens its clusters. The log of the cluster whose statement did not respond names the statement. If the thread does not end in time, the engine host itself ends, and a new engine host opens all clusters. Until then, the clusters are `REPAIRING`',
    ],
  ];
}

function stageRows(): Row[] {
  const space = engine('storage/file/temporary-space');
  const implied = engine('planner/implied');
  return [
    [
      'Comparisons of the conditions of a query with those of partial filters, to find the indexes that the query can use',
      `${count(implied('PAIRS_PER_INDEX'))} per index, and ${count(implied('PAIRS_PER_QUERY'))} in all`,
      'The query does not use the index, except with a hint',
    ],
    [
      'Documents that a stage or accumulator stores in memory (`$sort`, `$group`, `$push`, `$median`, …)',
      `${bytes(engine('language/workspace')('STAGE_BYTES'))} per stage or accumulator`,
      'The stage writes the documents to the disk. If it cannot write to the disk, the statement fails with `ExceededMemoryLimit` (146)',
    ],
    [
      'Documents of all stages of a cluster that are on the disk',
      `the size of the disk of the cluster. They also leave ${bytes(space('MIN_FREE_BYTES'))} of the disk of the machine free, or ${100 * space('MIN_FREE_SHARE')} % if it is less`,
      '`OutOfDiskSpace` (14031)',
    ],
  ];
}

function memoryRows(): Row[] {
  const memory = engine('storage/transactions/transaction-memory');
  const cursors = engine('worker/cursor-budget');
  return [
    [
      'Intermediate results of expressions, and the compiled form of filters, expressions, projections, updates and pipelines. The compiled form counts as 1,024 bytes per condition of a filter, and 512 bytes per other part ([why](decisions/0085-memory-of-compiled-statements.md))',
      `${bytes(engine('statement/statement')('STATEMENT_BYTES'))} per statement, or per operation of a write command`,
      '`ExceededMemoryLimit` (146)',
    ],
    [
      'Size of a document that a stage, an expression or an update creates',
      bytes(engine('bson/byte-writer')('MAX_BYTES')),
      '`BSONObjectTooLarge` (10334)',
    ],
    [
      'Keys of a document in all indexes of its collection',
      bytes(engine('storage/indexes/tuples')('MAX_KEY_BYTES')),
      '`ExceededMemoryLimit` (146)',
    ],
    [
      'Definitions of collections and indexes of a cluster, such as validators and partial filters. Definitions of less than 16 KiB do not count',
      bytes(engine('commands/shared/definitions')('MAX_BYTES')),
      '`ExceededMemoryLimit` (146)',
    ],
    [
      'Compiled validators and partial filters of all clusters of a query thread: 128 bytes for each byte of their definitions',
      bytes(engine('language/filter/stored-filters')('MAX_BYTES')),
      'The engine removes some of them from memory, and compiles them again when it needs them',
    ],
    [
      'Errors of the operations of a write command',
      `${bytes(engine('commands/shared/statement-errors')('MESSAGE_BYTES'))} of messages, and ${bytes(engine('commands/shared/statement-errors')('DETAIL_BYTES'))} of details`,
      'Further messages are empty, and further details are omitted',
    ],
    ...stageRows(),
    [
      'Memory of open cursors. For each cursor, it is the sum of the documents that its stages store, 32 times the size of its command (at most 128 MiB), and 16 KiB ([why](decisions/0072-memory-of-cursors.md))',
      `${bytes(cursors('MAX_OF_CLUSTER'))} per cluster, and ${bytes(cursors('MAX_OF_THREAD'))} per query thread`,
      'The engine closes the cursor that has not been read for the longest time. It closes cursors below 1 MiB only if there are no larger ones. `getMore` then fails with `ExceededMemoryLimit` (146), or with `CursorNotFound` (43) on change streams, so that drivers resume them. A cursor that alone exceeds the limit is not opened',
    ],
    [
      'Writes of one transaction',
      bytes(memory('MAX_TRANSACTION_BYTES')),
      'The transaction is aborted with `TransactionTooLargeForCache` (388), and drivers do not repeat it',
    ],
    [
      'Sessions of a cluster that have been used within the last 30 minutes and have not ended',
      count(engine('parameters/known')('MAX_SESSIONS')),
      '`TooManyLogicalSessions` (261)',
    ],
    [
      'Writes of all open transactions of a query thread',
      `${bytes(memory('MAX_BYTES'))}, including an overhead of ${bytes(memory('CONNECTION_BYTES'))} per transaction`,
      'The transaction fails with `WriteConflict` (112) and the label `TransientTransactionError`, so drivers repeat it',
    ],
  ];
}

function profilerRows(): Row[] {
  const profiled = engine('observe/profiled-statements');
  return [
    [
      'Statements of an update or delete command that the profiler records',
      `${count(profiled('MAX_PROFILED'))}, or ${bytes(profiled('MAX_PROFILED_BYTES'))} of statements`,
      'The profiler omits further statements of the command',
    ],
  ];
}

function fileRows(): Row[] {
  return [
    [
      'Collections and indexes of a cluster, without the indexes on `_id`. Files of earlier versions can have more',
      count(engine('storage/file/table-count')('MAX_TABLES')),
      'Error 8000, when a collection or an index is created',
    ],
    [
      'Write-ahead log of a cluster. A transaction can exceed the limit if it begins below the limit, and writes while a reader needs an older state of the data',
      bytes(engine('storage/file/write-ahead-log')('FULL_BYTES')),
      'Further writes to the cluster wait until another thread has copied the log into the file',
    ],
    [
      'Write-ahead log of a cluster while transactions or cursors read an older state of the data',
      bytes(engine('storage/file/write-ahead-log')('HELD_BYTES')),
      'The transactions and cursors end. Later statements of such a transaction fail with `NoSuchTransaction` (251) and the label `TransientTransactionError`, so drivers repeat the transaction. `getMore` for such a cursor fails with `CursorNotFound` (43)',
    ],
    [
      'Write-ahead log of a cluster while a snapshot or a saved state copies the file',
      `${bytes(engine('backup/log-growth')('MAX_BYTES'))}, or the size of the file if it is larger. The log is checked after each ${bytes(engine('backup/copy')('PIECE_BYTES'))} of an encrypted file, and after each ${count(engine('backup/copy')('PAGES'))} pages of another file`,
      'The copy ends, and the log can be copied into the file. The service tries a snapshot again; a request that saves a state fails',
    ],
  ];
}

function scriptRows(): Row[] {
  const sandbox = engine('script/sandbox');
  const counter = engine('script/interrupt-counter');
  const bounds = engine('script/bounds');
  const pieces = engine('script/to-text');
  return [
    [
      'Time of one call of a script',
      `${time(sandbox('LONGEST_CALL_MS'))}. The interpreter checks the time at least every ${counter('TURNS')} calls and loop iterations, and native functions check it after ${count(bounds('TURNS_PER_CHECK'))} iterations of their loops`,
      'Error 11601, "a script was interrupted because it took too long"',
    ],
    [
      'Memory of scripts (`$where`, `$function`, …)',
      `${bytes(sandbox('MEMORY_BYTES'))} of objects per script. All script interpreters of a query thread together may use ${bytes(bounds('MAX_PAGES') * bounds('PAGE_BYTES'))}, and ${bytes(bounds('FIRST_PAGES') * bounds('PAGE_BYTES'))} more for each further script that runs at the same time as the first one`,
      '`JSInterpreterFailure` (139), "out of memory"',
    ],
    [
      'Code of a script, including code that it evaluates',
      `${count(bounds('MAX_CODE'))} characters, and ${count(bounds('MAX_NESTING'))} nested brackets. Scripts cannot use \`BigInt\``,
      '`JSInterpreterFailure` (139)',
    ],
    [
      'Arguments and results of scripts',
      `no limit. The engine converts them in pieces of ${count(pieces('PIECE_VALUES'))} values or ${count(pieces('PIECE_CHARACTERS'))} characters`,
      'Other statements run between the pieces',
    ],
    [
      'Text search by a script (`indexOf`, `split`, `replace`, …)',
      `the length of the text, multiplied by the length of the string to find, is at most ${count(bounds('MAX_COMPARED'))}`,
      'A `RangeError` in the script',
    ],
    [
      'Native functions in scripts',
      `${count(bounds('MAX_TEXT'))} characters for a text that a function changes, ${count(bounds('MAX_JSON'))} characters for JSON, and ${count(bounds('MAX_JOINED'))} entries for an array that \`join\` joins. Sorting has no limit, and can be interrupted if the array has more than ${count(bounds('MAX_SORTED'))} entries`,
      'A `RangeError` in the script',
    ],
  ];
}

function textRows(): Row[] {
  const machine = engine('language/patterns/machine');
  const lucene = engine('search/query/operators/patterns');
  return [
    [
      'Steps of a regular expression that needs more than linear time',
      `${count(machine('MAX_STEPS'))}, plus ${machine('STEPS_OF_LETTER')} per character of the text`,
      'Error 51156',
    ],
    [
      'Length of a regular expression',
      `${count(engine('language/patterns/pattern')('MAX_LENGTH'))} characters`,
      'Error 51091',
    ],
    [
      'Length of a regular expression with operators in a search',
      `${count(lucene('MAX_LENGTH'))} characters, and ${count(lucene('MAX_OPERATORS'))} operators`,
      'The search fails, and the error names the limit',
    ],
    [
      'Unicode properties in a regular expression, such as `\\p{L}`. After `(*UCP)`, some escapes contain up to 8 properties',
      count(engine('language/patterns/compile-cost')('MAX_PROPERTIES')),
      'Error 51091',
    ],
    [
      'Length of a format of `$dateFromString`',
      `${count(engine('language/time/parse-format')('MAX_FORMAT'))} characters`,
      'Error 18536',
    ],
  ];
}

function searchRows(): Row[] {
  const tokens = engine('search/analysis/token');
  const searching = engine('search/query/searching');
  return [
    [
      'Analysis of text for search',
      `${tokens('BATCH')} tokens and one piece of text without a pause. A piece has at most ${count(tokens('LONGEST'))} characters, and fewer if the analyzer has large patterns or many char filters`,
      'The engine serves other clusters, then continues. It does not index terms and fields beyond [the limits of a document](search.md#limits)',
    ],
    [
      'Reads of the index builder',
      `${bytes(engine('search/follow/cluster-reader')('READ_BYTES'))} of documents or changes per read, or one document if it is larger`,
      'The engine serves other clusters before the next read',
    ],
    [
      'Documents of unfinished builds in memory',
      `${bytes(engine('search/follow/build-memory')('MAX_HELD'))} for all builds of a thread`,
      'Builds write their documents before they read further ones',
    ],
    [
      'Search indexes of a cluster on the disk',
      'the size of the disk of the cluster',
      'Indexes whose first build is not complete are `FAILED`. If this is not enough, the others are `STALE` ([more](search.md#stale-indexes))',
    ],
    [
      'Work of one search',
      `${count(searching('MAX_STEPS'))} steps, ${count(searching('MAX_CLAUSES'))} clauses in the query, ${count(engine('search/query/facets')('MAX_BUCKETS_OF_SEARCH'))} buckets, ${bytes(engine('search/synonyms')('MAX_BYTES'))} of memory for each of its synonym mappings, and ${bytes(searching('MAX_BYTES'))} for facets, paths of wildcards, synonyms, the spans of a document and \`moreLikeThis\` together`,
      'The search fails, and the error names the limit',
    ],
  ];
}

function pathRows(): Row[] {
  return [
    [
      'Parts of a path, such as `a.b.c`',
      count(engine('language/field-path')('MAX_PARTS')),
      '`Overflow` (15). In filters, the path matches no value',
    ],
    [
      'Numbers in a path that can be positions in arrays, as in `a.0.b`',
      count(engine('language/paths')('MAX_INDEXES')),
      'Further numbers in the path are only names of fields',
    ],
  ];
}

function messageRows(): Row[] {
  const validate = engine('bson/validate');
  const codec = engine('message/codec');
  const connection = engine('wire/connection');
  return [
    ['Size of a document', bytes(validate('MAX_DOCUMENT_SIZE')), '`BSONObjectTooLarge` (10334)'],
    [
      'Nesting levels of a document',
      `${validate('MAX_DEPTH')}; ${validate('MAX_STORED_DEPTH')} in a stored document`,
      '`Overflow` (15)',
    ],
    [
      'Size of a message',
      `${count(codec('MAX_MESSAGE_BYTES'))} bytes; ${bytes(connection('BEFORE_LOGIN_BYTES'))} before authentication`,
      'The connection closes',
    ],
    [
      'Statements in one command',
      count(engine('message/batch-size')('MAX_STATEMENTS')),
      '`InvalidLength` (16)',
    ],
    [
      'Fields of a command, apart from nested fields',
      count(engine('message/documents')('MAX_COMMAND_FIELDS')),
      '`FailedToParse` (9)',
    ],
    [
      'Parsing of a request without a pause',
      `requests below ${bytes(engine('worker/scheduler')('LARGE_BYTES'))}. Larger requests are parsed in pieces of ${engine('bson/turns')('STEPS')} values`,
      'Other statements run between the pieces. Later requests of the connection wait',
    ],
    [
      'Document sequences in a message',
      `${count(engine('message/sections')('MAX_SEQUENCES'))} sequences, with 1,000,000 documents in all`,
      'The connection closes',
    ],
    [
      'Size of a command for handshakes and logins, such as `hello`',
      bytes(engine('wire/connection-commands')('LOCAL_COMMAND_BYTES')),
      'The connection closes',
    ],
  ];
}

function queueRows(): Row[] {
  const codec = engine('message/codec');
  const forwarded = engine('wire/forwarded');
  return [
    [
      'Requests of a cluster for which the clients expect no reply (`moreToCome`)',
      `${count(forwarded('MAX_UNANSWERED'))} requests that run or wait, and ${count(codec('MAX_MESSAGE_BYTES'))} bytes per connection. Requests whose connection has closed count as well ([why](decisions/0071-requests-of-closed-connections.md))`,
      'The engine stops reading from the connections that send such requests',
    ],
    [
      'Unfinished requests of closed connections of a cluster',
      `${count(forwarded('MAX_OF_CLOSED'))} requests. When a connection closes, the engine drops its messages that are not parsed yet, and its requests that have not begun. It keeps writes for which the client expects no reply. If a limit makes such writes wait, it keeps at most ${count(forwarded('MAX_KEPT'))} of them, with ${count(codec('MAX_MESSAGE_BYTES'))} bytes in all`,
      'New requests to the cluster wait',
    ],
    [
      'Requests of a cluster that the query thread has received and not answered, including those of closed connections',
      bytes(forwarded('MAX_FORWARDED_BYTES')),
      `Requests of ${bytes(forwarded('LARGE_BYTES'))} or more wait`,
    ],
    [
      'Memory for the messages of all connections of a cluster: incomplete messages, messages that wait or are decompressed, unanswered requests, and unread replies',
      bytes(engine('wire/held-memory')('MAX_HELD_BYTES')),
      'The connection with the most bytes closes',
    ],
    [
      'Handshakes and logins of a cluster that a connection thread processes without a pause',
      count(engine('wire/turns')('MAX_COMMANDS')),
      'The thread serves other clusters, and then continues',
    ],
    [
      'Messages of a cluster that the engine decompresses, checksums or compresses at the same time. Only messages for which this takes a millisecond or more count',
      'one message (to decompress or checksum), and one reply (to compress)',
      'Other messages and replies wait',
    ],
    [
      'Time until the first message of a connection',
      time(engine('wire/connection')('FIRST_MESSAGE_MS')),
      'The connection closes',
    ],
  ];
}

const head = ['Resource', 'Limit', 'Above the limit'];

/** Comments around the tables in `docs/reliability.md`. */
const between = /(<!-- The tables .* -->\n)[\s\S]*(\n<!-- End of what is written)/;

/** Returns the page with the tables of all limits. */
export function withLimits(page: string): string {
  if (!between.test(page)) throw new Error('docs/reliability.md has no place for the limits');
  return page.replace(between, (_, before: string, after: string) => `${before}\n${limitTables()}${after}`);
}

function limitTables(): string {
  const statements = [
    timeRows(),
    memoryRows(),
    profilerRows(),
    fileRows(),
    scriptRows(),
    textRows(),
    searchRows(),
    pathRows(),
    messageRows(),
    queueRows(),
  ].flat();
  return [
    '## Limits of statements\n',
    'A *query thread* executes the statements of several clusters. If several statements of a thread have begun, one of them runs, and the others are\n' +
      'paused. These limits prevent one statement from blocking the others:\n',
    table(head, statements),
    '## Limits of requests\n',
    'The service only parses the filters, definitions and patterns in API requests. Query threads of the engine host evaluate them, under the limits above.\nNumbers such as 431 are HTTP statuses.\n',
    table(head, requestLimits()),
  ].join('\n');
}
