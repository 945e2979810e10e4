import { type CodeName, ServerError } from './server-error.ts';

/** How the messages begin if a query cannot be planned. */
const BEGINNING = 'error processing query: ';
const REASON = 'planner returned error :: caused by :: ';

/** The error if no plan can execute a query, or another error of the query planner. */
export function plannerError(reason: string, code: CodeName = 'NoQueryExecutionPlans'): ServerError {
  return new ServerError(code, `${BEGINNING}${REASON}${reason}`);
}

/** Adds the text of a query to an error of the query planner. Returns all other errors unchanged. */
export function withQueryText(error: unknown, text: () => string): unknown {
  if (!(error instanceof ServerError) || !error.message.startsWith(`${BEGINNING}${REASON}`)) return error;
  return new ServerError(
    error.code,
    `${BEGINNING}${text()} ${error.message.slice(BEGINNING.length)}`,
    error.more,
  );
}
