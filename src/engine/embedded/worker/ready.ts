import type { Command } from '../commands/context/command.ts';
import type { GenericArguments } from '../commands/shared/generic.ts';
import { Interruption, interruptions } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Reply } from '../message/reply.ts';
import { answer } from './answer.ts';
import { runInSession } from './in-session.ts';
import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';
import { type Admitted, admit } from './request.ts';
import type { Statements } from './statements.ts';

/** A request that may be run in its cluster. */
export interface Ready extends Admitted {
  readonly operation: Operation;
  readonly cluster: OpenCluster;
}

/** Throws what the server answers to a request that may not be run. */
export function makeReady(operation: Operation, cluster: OpenCluster): Ready {
  const { wire, impatient, arrived } = operation;
  const admitted = admit(wire.sections, wire.caller, cluster);
  const { command, generic } = admitted;
  let { request } = admitted;
  if (impatient) request = { ...request, impatient };
  if (wire.traffic !== undefined) request = { ...request, traffic: wire.traffic };
  operation.command = command;
  operation.request = request;
  const limit = timeLimit(command, generic, cluster);
  if (limit > 0) operation.deadline = arrived + limit;
  if (operation.orphan && !command.writes) throw new Interruption(interruptions.disconnected());
  return { operation, cluster, command, request, generic };
}

/** Milliseconds; 0 where nobody says. What `getMore` says is how long it waits for more. */
function timeLimit(
  { name, readConcern }: Command,
  { maxTimeMs }: GenericArguments,
  cluster: OpenCluster,
): number {
  if (name === 'getMore') return 0;
  return maxTimeMs ?? (readConcern ? cluster.parameters.defaultMaxTimeMS : 0);
}

/** Answers the bytes of the reply. `shared`: in one transaction with others. */
export function runReady(ready: Ready, statements: Statements, shared: boolean): Uint8Array {
  const { operation, cluster, command, generic } = ready;
  const unsatisfied = command.writes ? generic.writeConcern.unsatisfied : undefined;
  // Nothing that is still to be committed is told.
  const aside = !command.writes && statements.closed(cluster);
  const reply = statements.run(operation, cluster, shared, () => runInSession(ready, cluster));
  countOperation(operation, cluster, reply, undefined);
  if (generic.transaction?.starts) cluster.counters.of(operation.caller.member).transactions.totalStarted++;
  return answer(reply, aside ? cluster.committedTimes : cluster.times, unsatisfied);
}

/** Counts a request that has come to its end, with its reply or its error. */
export function countOperation(
  { caller, command, request, arrived, examined }: Operation,
  cluster: OpenCluster,
  reply: Reply | undefined,
  error: unknown,
): void {
  if (command === undefined || request === undefined) return;
  const counters = cluster.counters.of(caller.member);
  if (error instanceof Interruption) counters.interrupted++;
  const micros = (cluster.clock.elapsed() - arrived) * 1000;
  counters.count(command, request, reply, micros);
  const code = error === undefined ? 0 : error instanceof ServerError ? error.code : 1;
  const { keys: keysExamined, documents: docsExamined, path } = examined;
  cluster.observer.ended({ command, request, reply, code, micros, keysExamined, docsExamined, path });
}
