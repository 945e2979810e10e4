import type { Document } from 'bson';
import { MAX_DOCUMENTS, MAX_SECONDS } from './rules.ts';

/** Number of requested documents: one more than the service returns, to find out whether there are more. */
const ENOUGH = MAX_DOCUMENTS + 1;
const MAX_MS = MAX_SECONDS * 1000;

/** Adds limits to the arguments of a command. The time limit is added elsewhere. */
const bounds: Readonly<Record<string, (command: Document) => Document>> = {
  find: ({ limit, ...rest }) => ({
    ...rest,
    limit: lowered(limit, ENOUGH),
    batchSize: ENOUGH,
    singleBatch: true,
  }),
  aggregate: (command) => ({ ...command, cursor: { batchSize: ENOUGH } }),
  listCollections: (command) => ({ ...command, cursor: { batchSize: ENOUGH } }),
  listIndexes: (command) => ({ ...command, cursor: { batchSize: ENOUGH } }),
};

/**
 * Returns the command to send to the database. Values of a wrong type stay in the command, so that the database returns
 * an error for them.
 */
export function bounded(name: string, command: Document, database: string): Document {
  const bound = bounds[name]?.(command) ?? command;
  return { ...bound, maxTimeMS: lowered(command.maxTimeMS, MAX_MS), $db: database };
}

/** Lowers a limit to `greatest`. In commands, zero or a missing number means that there is no limit. */
function lowered(given: unknown, greatest: number): unknown {
  if (given === undefined || given === null) return greatest;
  const value = Number(given);
  return value === 0 || value > greatest ? greatest : given;
}
