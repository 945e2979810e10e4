/**
 * What can go wrong with a database, translated once at the store's edge. Callers ask for the kind, never for a
 * result code or a message.
 */
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

/** A value that must be unique is there already. */
export class UniqueViolation extends StoreError {
  readonly table: string;
  /** Columns that are unique together; empty where an index over expressions was violated. */
  readonly columns: readonly string[];
  /** The name of the constraint or index, where the database tells it. */
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

  /** Whether exactly these columns of this table clash. */
  on(table: string, ...columns: string[]): boolean {
    return (
      this.table === table &&
      columns.length === this.columns.length &&
      columns.every((c) => this.columns.includes(c))
    );
  }
}

/** Why the store does not work at present, without the names of files and hosts that its own words have. */
const troubles: Readonly<Partial<Record<StoreErrorKind, string>>> = {
  busy: 'too many changes wait for each other',
  full: 'the disk with the database is full',
  readOnly: 'the database accepts no changes',
  damaged: 'the database is damaged',
  unavailable: 'the database cannot be reached',
  closed: 'the service is ending',
};

/** Nothing for errors that say something about one statement. */
export function troubleOfStore(kind: StoreErrorKind): string | undefined {
  return troubles[kind];
}
