import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { BULK_WRITE_NAMESPACE, ownDatabases } from '../../interface/namespaces.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import { type CommandFacts, endsTransaction } from '../context/facts.ts';

/** This file contains the rules for commands in transactions, and reads the session fields of a message. */

const levels: ReadonlySet<string> = new Set(['local', 'majority', 'snapshot']);

/** The fields that name the collection of a cursor. */
const cursorFields: ReadonlyMap<string, string> = new Map([
  ['getMore', 'collection'],
  ['killCursors', 'killCursors'],
]);

/** The number of a transaction within its session, and whether this message starts it. */
export interface TransactionStep {
  readonly number: bigint;
  readonly starts: boolean;
}

/** The session fields of a message: the number of a retryable write, or a transaction, or neither. */
export interface SessionArguments {
  readonly txnNumber?: bigint;
  readonly transaction?: TransactionStep;
}

/** The session fields of a message, as far as they are declared in `arguments.ts`. */
interface GivenSession {
  readonly lsid?: string;
  readonly txnNumber?: bigint;
  readonly autocommit?: boolean;
  readonly startTransaction?: boolean;
  readonly readConcern?: { readonly level?: string };
}

export function sessionArguments(
  command: CommandFacts,
  given: GivenSession,
  body: RawDocument,
): SessionArguments {
  const { lsid, txnNumber, autocommit, startTransaction: starts } = given;
  if (txnNumber === undefined) {
    if (autocommit === undefined && starts === undefined) return {};
    const field = autocommit === undefined ? 'startTransaction' : 'autocommit';
    throw invalidOptions(`'${field}' field requires a transaction number to also be specified`);
  }
  if (lsid === undefined) {
    throw invalidOptions('Transaction number requires a session ID to also be specified');
  }
  if (txnNumber < 0n) throw invalidOptions('Transaction number cannot be negative');
  if (autocommit === undefined) {
    if (starts !== undefined) {
      throw invalidOptions("'startTransaction' field requires 'autocommit' field to also be specified");
    }
    if (command.retryable) return { txnNumber };
    throw notRetryable(command.name);
  }
  if (autocommit) throw invalidOptions("'autocommit' field must be false if specified");
  if (starts === false) throw invalidOptions("'startTransaction' field must be true if specified");
  const step = { number: txnNumber, starts: starts === true };
  checkStep(command, step, given, body);
  return { transaction: step };
}

/** Throws if a transaction cannot contain the command. */
export function checkTransactionSupport({ name, transaction }: CommandFacts): void {
  if (transaction !== 'never') return;
  const advice =
    name === 'count' ? ' Use an aggregation with $count, or with $group and $sum, in its place.' : '';
  throw notSupported(`Cannot run '${name}' in a multi-document transaction.${advice}`);
}

function checkStep(
  command: CommandFacts,
  { starts }: TransactionStep,
  given: GivenSession,
  body: RawDocument,
): void {
  const { name, transaction } = command;
  checkTransactionSupport(command);
  if (starts && transaction !== 'statement') {
    throw notSupported(`Cannot run '${name}' as the first operation of a multi-document transaction.`);
  }
  if (command.database !== 'admin' && !isAboutBulkWrite(name, body)) {
    checkTransactionDatabase(body.string('$db') ?? '');
  }
  if (name === 'aggregate') checkStages(body);
  checkConcerns(command, starts, given, body);
}

/** Whether the command continues or closes the cursor of a `bulkWrite`. */
function isAboutBulkWrite(name: string, body: RawDocument): boolean {
  const field = cursorFields.get(name);
  if (field === undefined || body.get(field)?.type !== bsonTypes.string) return false;
  return `${body.string('$db')}.${body.string(field)}` === BULK_WRITE_NAMESPACE;
}

/** Throws for the databases of the server itself. Transactions can neither read nor write their collections. */
export function checkTransactionDatabase(database: string): void {
  if (!ownDatabases.has(database)) return;
  throw notSupported(`Cannot run command against the '${database}' database in a transaction.`);
}

function checkStages(body: RawDocument): void {
  const pipeline = body.get('pipeline');
  if (pipeline?.type !== bsonTypes.array) return;
  for (const stage of entriesOf(pipeline)) {
    const operator = stage.type === bsonTypes.object ? documentOf(stage).first()?.name : undefined;
    if (operator !== undefined && describeStage(operator)?.within.transaction === false) {
      throw notSupported(
        `Operation not permitted in transaction :: caused by :: ${operator} cannot be used within a transaction`,
      );
    }
  }
  if (body.get('explain') !== undefined) {
    throw notSupported("Cannot run 'explain' in a multi-document transaction.");
  }
}

function checkConcerns(
  command: CommandFacts,
  starts: boolean,
  { readConcern }: GivenSession,
  body: RawDocument,
): void {
  const ends = endsTransaction(command);
  if (body.has('writeConcern') && !ends) {
    throw invalidOptions('writeConcern is not allowed within a multi-statement transaction');
  }
  if (readConcern === undefined) return;
  if (!starts && !ends) {
    throw invalidOptions('Only the first command in a transaction may specify a readConcern');
  }
  if (readConcern.level !== undefined && !levels.has(readConcern.level)) {
    throw invalidOptions(
      "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction",
    );
  }
}

const NOT_RETRYABLE = 50768;

function notRetryable(name: string): ServerError {
  return new ServerError(
    NOT_RETRYABLE,
    'txnNumber may only be provided for multi-document transactions and retryable write commands. ' +
      `autocommit:false was not provided, and ${name} is not a retryable write command.`,
  );
}

function notSupported(message: string): ServerError {
  return new ServerError('OperationNotSupportedInTransaction', message);
}

function invalidOptions(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
