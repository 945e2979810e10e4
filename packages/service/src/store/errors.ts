/** Kinds of database errors. Callers must distinguish errors by their kind, not by a result code or a message. */
export type StoreErrorKind =
  | 'unique'
  | 'foreignKey'
  | 'constraint'
  | 'aborted'
  | 'busy'
  | 'full'
  | 'readOnly'
  | 'damaged'
  | 'unavailable'
  | 'configuration'
  | 'newerFormat'
  | 'closed';

export class StoreError extends Error {
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StoreError';
    this.kind = kind;
  }
}

export class UniqueViolation extends StoreError {
  readonly table: string;
  /** Columns of the constraint; empty for an index on an expression. */
  readonly columns: readonly string[];
  /** The name of the constraint or index, if known. */
  readonly constraint: string | undefined;

  constructor(
    at: { table: string; columns: readonly string[]; constraint?: string | undefined },
    cause: unknown,
  ) {
    super('unique', `${at.table} (${at.columns.join(', ')}) must be unique`, { cause });
    this.name = 'UniqueViolation';
    this.table = at.table;
    this.columns = at.columns;
    this.constraint = at.constraint;
  }

  /** Whether the constraint belongs to this table and consists of exactly these columns. */
  on(table: string, ...columns: string[]): boolean {
    return (
      this.table === table &&
      columns.length === this.columns.length &&
      columns.every((c) => this.columns.includes(c))
    );
  }
}

/** Messages for callers. Unlike the original messages, they contain no names of files and hosts. */
const troubles: Readonly<Partial<Record<StoreErrorKind, string>>> = {
  busy: 'too many concurrent changes',
  full: 'the disk with the database is full',
  readOnly: 'the database is read-only',
  damaged: 'the database is damaged',
  unavailable: 'the database cannot be reached',
  closed: 'the service is stopping',
};

/** Returns the message for callers; undefined for an error that concerns a single statement only. */
export function storeProblem(kind: StoreErrorKind): string | undefined {
  return troubles[kind];
}
