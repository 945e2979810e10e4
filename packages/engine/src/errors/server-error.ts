import type { PlainObject } from '@portolan/foundation/plain-object';

/**
 * Errors have the form of the wire protocol, with code, name and message. The codes and names are from the server's
 * documentation.
 */

const codes = {
  InternalError: 1,
  BadValue: 2,
  UnknownError: 8,
  GraphContainsCycle: 5,
  UserNotFound: 11,
  FailedToParse: 9,
  UnsupportedFormat: 12,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  DatabaseDifferCase: 13297,
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
  NotExactValueField: 111,
  DocumentValidationFailure: 121,
  CollectionUUIDMismatch: 361,
  CappedPositionLost: 136,
  ViewDepthLimitExceeded: 165,
  CommandNotSupportedOnView: 166,
  OptionNotSupportedOnView: 167,
  ViewPipelineMaxSizeExceeded: 195,
  InvalidPipelineOperator: 168,
  CannotBackfillArray: 34,
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
  StaleClusterTime: 209,
  NodeNotFound: 74,
  QueryPlanKilled: 175,
  ConversionFailure: 241,
  APIVersionError: 322,
  ClientMetadataMissingField: 183,
  ClientMetadataAppNameTooLarge: 184,
  ClientMetadataDocumentTooLarge: 185,
  ClientMetadataCannotBeMutated: 186,
  APIStrictError: 323,
  APIMismatchError: 347,
  DataCorruptionDetected: 301,
  OutOfDiskSpace: 14031,
  JSInterpreterFailure: 139,
  ExceededMemoryLimit: 146,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  TransactionTooOld: 225,
  NoMatchingDocument: 47,
  InvalidResumeToken: 260,
  ChangeStreamFatalError: 280,
  ChangeStreamHistoryLost: 286,
  CannotBuildIndexKeys: 201,
  InvalidUUID: 207,
  TooManyLogicalSessions: 261,
  MaxSubPipelineDepthExceeded: 232,
  CannotCreateIndex: 67,
  InvalidIndexSpecificationOption: 197,
  OperationFailed: 96,
  IncompatibleCollationVersion: 161,
  NoQueryExecutionPlans: 291,
  QueryFeatureNotAllowed: 224,
  CursorInUse: 143,
  CursorKilled: 237,
  UnsatisfiableCommitQuorum: 278,
  ClientDisconnect: 279,
  Interrupted: 11601,
  MaxTimeMSExpired: 50,
  NoSuchKey: 4,
  RoleNotFound: 31,
  NotImplemented: 238,
  UserAlreadyExists: 51003,
  RoleAlreadyExists: 51002,
  IndexAlreadyExists: 68,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CannotIndexParallelArrays: 171,
  AmbiguousIndexKeyPattern: 181,
  CannotConvertIndexToUnique: 359,
  WriteConcernFailed: 64,
  WriteConflict: 112,
  TransactionExceededLifetimeLimitSeconds: 290,
  TransactionTooLargeForCache: 388,
  ConflictingOperationInProgress: 117,
  CommandFailed: 125,
  ClusterTimeFailsRateLimiter: 205,
  KeyNotFound: 211,
  SnapshotTooOld: 239,
  SnapshotUnavailable: 246,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  OperationNotSupportedInTransaction: 263,
  PrimarySteppedDown: 189,
  InterruptedDueToReplStateChange: 11602,
  NotPrimaryOrSecondary: 13436,
  NotSecondary: 95,
  NoReplicationEnabled: 76,
  ExceededTimeLimit: 262,
  LockTimeout: 24,
  PreparedTransactionInProgress: 267,
  ReadConcernMajorityNotAvailableYet: 134,
  AlreadyInitialized: 23,
  ShardKeyNotFound: 61,
  ShardNotFound: 70,
  CannotSplit: 87,
  NamespaceNotSharded: 118,
  FailedToSatisfyReadPreference: 133,
  ZoneStillInUse: 163,
  ZoneNotFound: 177,
  RangeOverlapConflict: 178,
  UserWritesBlocked: 371,
  IncompleteTransactionHistory: 217,
  InvalidRoleModification: 49,
  CollectionIsEmpty: 162,
  QueryRejectedBySettings: 411,
  FailPointSetFailed: 266,
  MergeStageNoMatchingDocument: 13113,
  IDLDuplicateField: 40413,
  IDLFailedToParse: 40414,
  IDLUnknownField: 40415,
  NotARetryableWriteCommand: 50768,
} as const;

export type CodeName = keyof typeof codes;

/** Code names by code. If several names have the same code, the first name is used. */
const names: ReadonlyMap<number, string> = new Map(
  Object.entries(codes)
    .reverse()
    .map(([name, code]) => [code, name]),
);

export class ServerError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Additional fields of the reply, such as `errorLabels` and `keyPattern`. The worker replaces them by encoded values. */
  more: PlainObject;

  /**
   * `name` is a documented code name, or a code. If the code has no documented name, the name is `Location` and the
   * code.
   */
  constructor(name: CodeName | number, message: string, more: PlainObject = {}) {
    super(message);
    this.name = 'ServerError';
    this.code = typeof name === 'number' ? name : codes[name];
    this.codeName = typeof name === 'number' ? (names.get(name) ?? `Location${name}`) : name;
    this.more = more;
  }
}
