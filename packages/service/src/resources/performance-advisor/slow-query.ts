/** A slow operation that a line of a node's log reports. */
export interface SlowQuery {
  /** The whole line, without its line feed. */
  readonly line: string;
  /** Service time, milliseconds since 1970. */
  readonly time: number;
  /** The full name of the collection: `database.collection`. */
  readonly namespace: string;
  /** The command. For a `getMore`, the command that opened its cursor. */
  readonly command: LoggedCommand;
  readonly planSummary?: string;
  readonly keysExamined: number;
  readonly docsExamined: number;
  readonly nreturned?: number;
  readonly millis: number;
}

/** The parts of a logged command that determine how it finds documents. The server truncates long commands. */
export interface LoggedCommand {
  readonly filter?: object;
  readonly query?: object;
  readonly sort?: object;
  readonly pipeline?: ReadonlyArray<{ readonly $match?: object; readonly $sort?: object }>;
  readonly updates?: ReadonlyArray<{ readonly q?: object }>;
  readonly deletes?: ReadonlyArray<{ readonly q?: object }>;
}

interface Line {
  readonly t?: { readonly $date?: string };
  readonly msg?: string;
  readonly attr?: {
    readonly ns?: string;
    readonly planSummary?: string;
    readonly keysExamined?: number;
    readonly docsExamined?: number;
    readonly nreturned?: number;
    readonly durationMillis?: number;
    readonly command?: LoggedCommand;
    readonly originatingCommand?: LoggedCommand;
  };
}

const MESSAGE = 'Slow query';

/** Parses a log line; undefined if it does not report a slow operation. */
export function slowQueryIn(line: string): SlowQuery | undefined {
  // Fast path: parsing is expensive, and most lines report something else.
  if (!line.includes(`"${MESSAGE}"`)) return undefined;
  const { t, msg, attr = {} } = JSON.parse(line) as Line;
  if (msg !== MESSAGE) return undefined;
  const { ns = '', planSummary, keysExamined = 0, docsExamined = 0, nreturned, durationMillis = 0 } = attr;
  return {
    line,
    time: Date.parse(t?.$date ?? ''),
    namespace: ns,
    command: attr.originatingCommand ?? attr.command ?? {},
    ...(planSummary !== undefined && { planSummary }),
    keysExamined,
    docsExamined,
    ...(nreturned !== undefined && { nreturned }),
    millis: durationMillis,
  };
}

/** Returns the query of a command; the first query if the command has several. */
export function filterOf({ filter, query, pipeline, updates, deletes }: LoggedCommand): object {
  return filter ?? query ?? pipeline?.[0]?.$match ?? updates?.[0]?.q ?? deletes?.[0]?.q ?? {};
}

/**
 * Returns the sort specification of a command. In a pipeline, the sort counts only if it directly follows the query.
 */
export function sortOf({ sort, pipeline = [] }: LoggedCommand): object {
  return sort ?? pipeline.find((stage) => stage.$match === undefined)?.$sort ?? {};
}
