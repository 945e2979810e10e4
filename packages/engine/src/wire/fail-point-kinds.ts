import { calculateObjectSize, type Document, deserialize } from 'bson';
import type { RawDocument } from '../bson/raw.ts';
import { splitSections, walkSections } from '../message/sections.ts';
import { errorOf, type Failure, noFailure } from './fail-point-answers.ts';

/** One command on its way, as fail points look at it. */
export interface Meeting {
  readonly command: string;
  readonly appName: string | undefined;
  /** Of the message; of an old driver's first greeting there are none. */
  readonly sections?: Uint8Array | undefined;
  /** Members that hold data. */
  readonly members: readonly string[];
}

/** How often a fail point is met, and what is counted so far. */
export interface Turns {
  /** Counts so many places at which it might be met; whether it is met at one of them. */
  enter(places: number): boolean;
}

/** What a fail point does to a command; `undefined` where it has nothing to do with it. */
export type Meet = (meeting: Meeting, turns: Turns) => Failure | undefined;

/** Fail points by name: what their data make of them. */
export const failPointKinds: Readonly<Record<string, (data: Document) => Meet>> = {
  failCommand,
  onPrimaryTransactionalWrite,
  failGetMoreAfterCursorCheckout,
  maxTimeAlwaysTimeOut: () => timeOut,
  // What it does comes on top of what others do.
  maxTimeNeverTimeOut: () => () => undefined,
  // What it does concerns writes on another member: `lagging` looks there.
  stopReplProducer: () => () => undefined,
};

/** Whoever sets fail points must be able to take them back. */
const neverFail: ReadonlySet<string> = new Set(['configureFailPoint']);

function failCommand(data: Document): Meet {
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
  const meet = failCommands(names.map(String), failure);
  return (meeting, turns) =>
    appName === undefined || appName === meeting.appName ? meet(meeting, turns) : undefined;
}

/** Commands with one of these names meet the failure. */
export function failCommands(names: readonly string[], failure: Failure): Meet {
  // Aliases differ in their case alone.
  const commands = new Set(names.map((name) => name.toLowerCase()));
  return ({ command }, turns) => {
    if (neverFail.has(command) || !commands.has(command.toLowerCase())) return undefined;
    return turns.enter(1) ? failure : undefined;
  };
}

const writes: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findandmodify', 'bulkwrite']);

/** Numbered writes end with an error before they are done, or when they are; and with the connection, if not told not to. */
function onPrimaryTransactionalWrite({ failBeforeCommitExceptionCode, closeConnection }: Document): Meet {
  const code = Number(failBeforeCommitExceptionCode ?? 0);
  const errmsg = 'Failing write due to failpoint. The write must not be reflected.';
  return ({ command, sections }, turns) => {
    if (!writes.has(command.toLowerCase())) return undefined;
    const body = bodyOf(sections);
    if (body.txnNumber === undefined || body.autocommit !== undefined) return undefined;
    const closes = closeConnection !== false;
    if (code !== 0) {
      const failure = { ...noFailure, closeConnection: closes, error: errorOf(code, errmsg) };
      return turns.enter(batchesOf(command, sections)) ? failure : undefined;
    }
    if (!closes) return undefined;
    const statements = command === 'insert' ? 1 : statementsOf(body);
    return { ...noFailure, closesAfter: (answer) => turns.enter(statements - retriedIn(answer, command)) };
  };
}

/** The server stores what is inserted in batches of so many documents and bytes, and meets the fail point at each. */
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

/** Those that come in a section of their own are many for certain, but how many does not matter much. */
function statementsOf({ updates, deletes, ops }: Document): number {
  return (updates ?? deletes ?? ops)?.length ?? 1;
}

/** Statements that had been done before: they are not written again. */
function retriedIn(answer: RawDocument, command: string): number {
  if (answer.has('retriedStmtId')) return 1;
  const ids = answer.array('retriedStmtIds')?.length ?? 0;
  return command === 'insert' ? Math.min(ids, 1) : ids;
}

/** The labels by which drivers know that a change stream can be opened again. */
const resumable: ReadonlySet<number> = new Set([
  ...[6, 7, 43, 63, 89, 91, 133, 150, 189, 234, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436],
]);

function failGetMoreAfterCursorCheckout({ errorCode, closeConnection }: Document): Meet {
  const code = Number(errorCode ?? 0);
  // Only drivers' change streams look for it, whatever the cursor is of.
  const labels = resumable.has(code) ? ['ResumableChangeStreamError'] : [];
  const errmsg = "Hit the 'failGetMoreAfterCursorCheckout' failpoint";
  const failure: Failure = {
    ...noFailure,
    closeConnection: closeConnection === true,
    error: code === 0 ? undefined : errorOf(code, errmsg, { labels }),
  };
  return ({ command }, turns) => (command === 'getMore' && turns.enter(1) ? failure : undefined);
}

const timedOut: Failure = { ...noFailure, error: errorOf(50, 'operation exceeded time limit') };

/** Whatever has a time limit; what more of a cursor is asked within what its beginning has left. */
function timeOut({ command, sections }: Meeting, turns: Turns): Failure | undefined {
  if (command !== 'getMore' && !(Number(bodyOf(sections).maxTimeMS ?? 0) > 0)) return undefined;
  return turns.enter(1) ? timedOut : undefined;
}

/** A write that wants more members than those to which changes come: it is done, and told when its time is up. */
export function lagging({ sections, members }: Meeting, stopped: number): Failure | undefined {
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
