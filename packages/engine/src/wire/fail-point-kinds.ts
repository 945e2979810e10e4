import { calculateObjectSize, type Document, deserialize } from 'bson';
import type { RawDocument } from '../bson/raw.ts';
import { splitSections, walkSections } from '../message/sections.ts';
import { errorOf, type Failure, noFailure } from './fail-point-answers.ts';

/** A command to which a fail point may apply. */
export interface CommandAttempt {
  readonly command: string;
  readonly appName: string | undefined;
  /** The sections of the message. Absent if the command is a `hello` command in an OP_QUERY message. */
  readonly sections?: Uint8Array | undefined;
  /** The members that store data. */
  readonly members: readonly string[];
}

/** Counts how often commands have matched a fail point. */
export interface FailPointCounter {
  /** Counts further matches of a fail point. Returns true if the fail point takes effect at one of them. */
  enter(matches: number): boolean;
}

/** Returns the effect of a fail point on a command. Returns undefined if the command does not match. */
export type Match = (attempt: CommandAttempt, counter: FailPointCounter) => Failure | undefined;

/** The functions that create fail points, by the name of the fail point. The argument is the option `data`. */
export const failPointKinds: Readonly<Record<string, (data: Document) => Match>> = {
  failCommand,
  onPrimaryTransactionalWrite,
  failGetMoreAfterCursorCheckout,
  maxTimeAlwaysTimeOut: () => timeOut,
  // `FailPoints.match` adds the effect of this fail point.
  maxTimeNeverTimeOut: () => () => undefined,
  // `lagging` computes the effect of this fail point on writes that must be replicated to other members.
  stopReplProducer: () => () => undefined,
};

/** Commands that fail points never affect, so that fail points can always be disabled. */
const neverFail: ReadonlySet<string> = new Set(['configureFailPoint']);

function failCommand(data: Document): Match {
  const {
    failCommands: names = [],
    appName,
    closeConnection,
    blockConnection,
    blockTimeMS,
    errorCode,
  } = data;
  const { errorLabels: labels, errorExtraInfo: extra, writeConcernError } = data;
  const errmsg = "Failing command via 'failCommand' failpoint";
  const failure: Failure = {
    closeConnection: closeConnection === true,
    blockMs: blockConnection === true ? Number(blockTimeMS ?? 0) : 0,
    error: errorCode === undefined ? undefined : errorOf(Number(errorCode), errmsg, { labels, extra }),
    writeConcernError,
  };
  const match = failCommands(names.map(String), failure);
  return (attempt, counter) =>
    appName === undefined || appName === attempt.appName ? match(attempt, counter) : undefined;
}

/** Returns a fail point that makes the commands with these names fail. */
export function failCommands(names: readonly string[], failure: Failure): Match {
  // Ignore case, since some aliases of commands differ only in case.
  const commands = new Set(names.map((name) => name.toLowerCase()));
  return ({ command }, counter) => {
    if (neverFail.has(command) || !commands.has(command.toLowerCase())) return undefined;
    return counter.enter(1) ? failure : undefined;
  };
}

const writes: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findandmodify', 'bulkwrite']);

/** Makes retryable writes fail before or after they run. Closes the connection unless `closeConnection` is false. */
function onPrimaryTransactionalWrite({ failBeforeCommitExceptionCode, closeConnection }: Document): Match {
  const code = Number(failBeforeCommitExceptionCode ?? 0);
  const errmsg = 'Failing write due to failpoint. The write must not be reflected.';
  return ({ command, sections }, counter) => {
    if (!writes.has(command.toLowerCase())) return undefined;
    const body = bodyOf(sections);
    if (body.txnNumber === undefined || body.autocommit !== undefined) return undefined;
    const closes = closeConnection !== false;
    if (code !== 0) {
      const failure = { ...noFailure, closeConnection: closes, error: errorOf(code, errmsg) };
      return counter.enter(batchesOf(command, sections)) ? failure : undefined;
    }
    if (!closes) return undefined;
    const statements = command === 'insert' ? 1 : statementsOf(body);
    return { ...noFailure, closesAfter: (answer) => counter.enter(statements - retriedIn(answer, command)) };
  };
}

/**
 * The server executes inserts in batches of at most this number of documents and bytes. Each batch counts as a match of
 * the fail point.
 */
const BATCH_DOCUMENTS = 500;
const BATCH_BYTES = 262_144;

function batchesOf(command: string, sections: Uint8Array = new Uint8Array()): number {
  if (command !== 'insert') return 1;
  const { body, sequences } = splitSections(sections);
  const sizes =
    sequences.get('documents')?.map(({ length }) => length) ??
    (deserialize(body).documents as Document[]).map((document) => calculateObjectSize(document));
  let batches = 0;
  let documents = 0;
  let bytes = 0;
  for (const size of sizes) {
    if (documents === 0) batches++;
    documents++;
    bytes += size;
    if (documents < BATCH_DOCUMENTS && bytes < BATCH_BYTES) continue;
    documents = 0;
    bytes = 0;
  }
  return batches;
}

/**
 * Returns the number of statements in a command. If they are in a document sequence, returns 1, because the exact
 * number hardly matters.
 */
function statementsOf({ updates, deletes, ops }: Document): number {
  return (updates ?? deletes ?? ops)?.length ?? 1;
}

/**
 * Returns the number of statements that an earlier attempt executed. All documents of an insert count as one
 * statement.
 */
function retriedIn(answer: RawDocument, command: string): number {
  if (answer.has('retriedStmtId')) return 1;
  const ids = answer.array('retriedStmtIds')?.length ?? 0;
  return command === 'insert' ? Math.min(ids, 1) : ids;
}

/** Errors after which drivers may resume a change stream. */
const resumable: ReadonlySet<number> = new Set([
  ...[6, 7, 43, 63, 89, 91, 133, 150, 189, 234, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436],
]);

function failGetMoreAfterCursorCheckout({ errorCode, closeConnection }: Document): Match {
  const code = Number(errorCode ?? 0);
  // Drivers ignore this label unless the cursor belongs to a change stream, so it can be added to all errors.
  const labels = resumable.has(code) ? ['ResumableChangeStreamError'] : [];
  const errmsg = "Hit the 'failGetMoreAfterCursorCheckout' failpoint";
  const failure: Failure = {
    ...noFailure,
    closeConnection: closeConnection === true,
    error: code === 0 ? undefined : errorOf(code, errmsg, { labels }),
  };
  return ({ command }, counter) => (command === 'getMore' && counter.enter(1) ? failure : undefined);
}

const timedOut: Failure = { ...noFailure, error: errorOf(50, 'operation exceeded time limit') };

/**
 * Makes commands with a time limit fail. A `getMore` counts as such a command, because the limit of its cursor applies.
 */
function timeOut({ command, sections }: CommandAttempt, counter: FailPointCounter): Failure | undefined {
  if (command !== 'getMore' && !(Number(bodyOf(sections).maxTimeMS ?? 0) > 0)) return undefined;
  return counter.enter(1) ? timedOut : undefined;
}

/**
 * Returns the effect on a write whose write concern requires more members than there are members that receive changes.
 * The write succeeds, but its reply contains an error after the time limit.
 */
export function lagging({ sections, members }: CommandAttempt, stopped: number): Failure | undefined {
  const { w, wtimeout = 0 } = bodyOf(sections).writeConcern ?? {};
  const wanted = w === 'majority' ? Math.floor(members.length / 2) + 1 : Number(w);
  if (!(wanted > members.length - stopped) || wanted > members.length || Number(wtimeout) <= 0)
    return undefined;
  const writeConcern = { w, wtimeout, provenance: 'clientSupplied' };
  const writeConcernError = {
    code: 64,
    codeName: 'WriteConcernFailed',
    errmsg: 'waiting for replication timed out',
    errInfo: { wtimeout: true, writeConcern },
  };
  return { ...noFailure, blockMs: Number(wtimeout), writeConcernError };
}

function bodyOf(sections: Uint8Array | undefined): Document {
  return sections === undefined ? {} : deserialize(walkSections(sections));
}
