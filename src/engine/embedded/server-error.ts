/**
 * Errors in the words of the wire protocol: a number, its name and a sentence, as drivers expect them.
 * Numbers and names are those that the reference server documents.
 */

const codes = {
  InternalError: 1,
  BadValue: 2,
  UserNotFound: 11,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  InvalidBSON: 22,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  DollarPrefixedFieldName: 52,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  NotWritablePrimary: 10107,
  CommandNotSupportedOnView: 166,
  InvalidPipelineOperator: 168,
  CannotBackfillArray: 206,
  MechanismUnavailable: 334,
  UnsupportedOpQueryCommand: 352,
  DuplicateKey: 11000,
  BSONObjectTooLarge: 10334,
  InterruptedAtShutdown: 11600,
  ShutdownInProgress: 91,
  NotPrimaryNoSecondaryOk: 13435,
  CommandNotAllowed: 8000,
  InvalidIdField: 53,
  UnknownReplWriteConcern: 79,
  UnsatisfiableWriteConcern: 100,
  CommandNotSupported: 115,
  QueryPlanKilled: 175,
  ConversionFailure: 241,
  APIVersionError: 322,
  APIStrictError: 323,
  OutOfDiskSpace: 14031,
  TransactionTooOld: 225,
  NoMatchingDocument: 47,
  InvalidResumeToken: 260,
  ChangeStreamHistoryLost: 286,
  InvalidUUID: 207,
  TooManyLogicalSessions: 261,
  MaxSubPipelineDepthExceeded: 232,
  CannotCreateIndex: 67,
  InvalidIndexSpecificationOption: 197,
  OperationFailed: 96,
  NoQueryExecutionPlans: 291,
  QueryFeatureNotAllowed: 224,
} as const;

export type CodeName = keyof typeof codes;

export class ServerError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Further fields of the answer: `errorLabels`, `keyPattern`, … */
  readonly more: Readonly<Record<string, unknown>>;

  /** `name` is a documented code name, or the number of a `Location` code. */
  constructor(name: CodeName | number, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'ServerError';
    this.code = typeof name === 'number' ? name : codes[name];
    this.codeName = typeof name === 'number' ? `Location${name}` : name;
    this.more = more;
  }
}
