import { WaitForCommit } from '../errors/interruption.ts';
import type { Reply } from '../message/reply.ts';
import { WriteBlocked } from '../storage/transactions/write-guard.ts';
import type { OpenCluster } from './open-cluster.ts';
import type { Admitted } from './request.ts';

/** Maximum time that a blocked write waits for a transaction to end. No transaction stays open for a day. */
const BLOCKED_MS = 86_400_000;

/**
 * Runs a command on its own, as a retryable write, or as a statement of a transaction, depending on its session
 * fields.
 */
export function runInSession(admitted: Admitted, cluster: OpenCluster): Reply {
  try {
    return runAdmitted(admitted, cluster);
  } catch (error) {
    if (error instanceof WriteBlocked) throw new WaitForCommit(BLOCKED_MS, error.isFree);
    throw error;
  }
}

function runAdmitted({ command, request, generic }: Admitted, cluster: OpenCluster): Reply {
  const { session } = request;
  const { txnNumber, transaction, readConcern } = generic;
  if (readConcern.after !== undefined) cluster.checkReached(readConcern.after, request);
  if (session !== undefined) cluster.sessions.use(session);
  if (readConcern.snapshot !== undefined && transaction === undefined) {
    return cluster.snapshotReads.run(readConcern.snapshot.at, command, request, cluster);
  }
  if (session === undefined) return command.run(request, cluster);
  if (transaction !== undefined) return cluster.runInTransaction(session, transaction, command, request);
  if (txnNumber === undefined) return command.run(request, cluster);
  const retries = cluster.beginStatements(session, txnNumber, request.body);
  const keep = () => cluster.keepStatements(session, retries);
  const reply = cluster.store.inParts(keep, () => command.run({ ...request, retries }, cluster));
  keep();
  return reply;
}
