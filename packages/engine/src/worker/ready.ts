import type { RawDocument } from '../bson/raw.ts';
import type { Command } from '../commands/context/command.ts';
import type { GenericArguments } from '../commands/generic/arguments.ts';
import { commandTable } from '../commands/index.ts';
import { shapeHashes } from '../commands/planning/shape-hashes.ts';
import { Interruption, interruptions } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Reply } from '../message/reply.ts';
import type { LatencyKind } from '../observe/operation-counters.ts';
import { answer, withEncodedDetails } from './answer.ts';
import { runInSession } from './in-session.ts';
import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';
import { type Admitted, admit, checkWritable, parseRequest } from './request.ts';
import type { Statements } from './statements.ts';

/** A request that has passed all checks of its cluster. */
export interface Ready extends Admitted {
  readonly operation: Operation;
  readonly cluster: OpenCluster;
}

/** Checks a request. Throws the server's error if it is rejected. */
export function makeReady(operation: Operation, cluster: OpenCluster): Ready {
  const { wire, awaitTimedOut, arrived } = operation;
  const parsed = parseRequest(wire.sections, wire.caller, (body) => {
    operation.parsed = body;
  });
  const admitted = admit(parsed, cluster);
  const { command, writes, generic } = admitted;
  let { request } = admitted;
  if (awaitTimedOut) request = { ...request, awaitTimedOut };
  if (wire.traffic !== undefined) request = { ...request, traffic: wire.traffic };
  operation.command = command;
  operation.writes = writes;
  operation.request = request;
  const limit = operation.untimed ? 0 : timeLimit(command, generic, cluster);
  if (limit > 0) operation.deadline = arrived + limit;
  operation.checkEnd(cluster.clock.elapsed());
  checkWritable(admitted, cluster);
  if (operation.orphan && !writes) throw new Interruption(interruptions.disconnected());
  return { operation, cluster, command, writes, request, generic };
}

/**
 * Returns the time limit in milliseconds; 0 means none. The `maxTimeMS` of `getMore` is the time to wait for data, not
 * a limit.
 */
function timeLimit(
  { operation, readConcern }: Command,
  { maxTimeMs }: GenericArguments,
  cluster: OpenCluster,
): number {
  if (operation === 'getmore') return 0;
  return maxTimeMs ?? (readConcern !== 'local' ? cluster.parameters.defaultMaxTimeMS : 0);
}

/** Runs a request and returns the encoded reply. `shared` is true if the request shares its transaction with others. */
export function runReady(ready: Ready, statements: Statements, shared: boolean): Uint8Array {
  const { operation, cluster, writes, generic } = ready;
  const unsatisfied = writes ? generic.writeConcern.unsatisfied : undefined;
  operation.unsatisfied = unsatisfied;
  // A read must not return the time of uncommitted writes.
  const uncommitted = !writes && statements.closed(cluster);
  const encode = (reply: Reply) =>
    answer(reply, uncommitted ? cluster.committedTimes : cluster.times, unsatisfied);
  // In a multi-document transaction, an interruption of the encoding would come too late to abort the transaction.
  const final = generic.transaction !== undefined;
  // Encode the reply within the statement, so that encoding can yield.
  const { reply, document } = statements.run(operation, cluster, shared, () => {
    const made = withEncodedDetails(() => runInSession(ready, cluster));
    statements.settle(final);
    return { reply: made, document: encode(made) };
  });
  countOperation(operation, cluster, statements, { reply });
  if (generic.transaction?.starts) cluster.counters.of(operation.caller.member).transactions.totalStarted++;
  return document;
}

/** Counts a finished request with its reply or error. */
export function countOperation(
  { caller, command, writes, request, arrived, began, examined, originating, created }: Operation,
  cluster: OpenCluster,
  statements: Statements,
  { reply, error }: { readonly reply?: Reply; readonly error?: unknown },
): void {
  if (command === undefined || request === undefined) return;
  const counters = cluster.counters.of(caller.member);
  if (error instanceof Interruption) counters.interrupted++;
  else if (error !== undefined) counters.asserts[error instanceof ServerError ? 'user' : 'regular']++;
  const now = cluster.clock.elapsed();
  const micros = (now - arrived) * 1000;
  const busy = now - began;
  const { name, operation: kind, transaction } = command;
  const ends = transaction === 'commit' || transaction === 'abort' ? transaction : undefined;
  counters.count(request, { name, kind, latency: latencyOf(command, writes), ends, micros, busy, reply });
  const code = error === undefined ? 0 : codeOf(error);
  const {
    keys: keysExamined,
    documents: docsExamined,
    keysInserted,
    keysDeleted,
    path,
    statements: effects,
  } = examined;
  const found = { keysExamined, docsExamined, keysInserted, keysDeleted, path, effects };
  const opening = originating && openingOf(originating);
  let hashed: ReturnType<typeof shapeHashes>;
  const hashes = () => (hashed ??= statements.bounded(() => shapeHashes(command, request, opening, cluster)));
  cluster.observer.ended({ command, request, originating, created, reply, code, micros, ...found, hashes });
}

function codeOf(error: unknown): number {
  const cause = error instanceof Interruption ? error.reason : error;
  return cause instanceof ServerError ? cause.code : 1;
}

/** Returns the command that opened a cursor. */
function openingOf(body: RawDocument) {
  const command = commandTable.get(body.first()?.name ?? '');
  return command && { command, body };
}

function latencyOf({ readConcern }: Command, writes: boolean): LatencyKind {
  if (writes) return 'writes';
  return readConcern === 'local' ? 'commands' : 'reads';
}
