import { type Document, Double, deserialize, serialize } from 'bson';
import { ServerError } from '../errors/server-error.ts';
import { errorLabels, numberedBy } from '../message/error-labels.ts';

/**
 * `configureFailPoint` with `failCommand`, for tests of drivers and programs: makes commands of one member fail, end
 * their connection or take long. Only where the engine runs alone; a managed cluster does not know the command.
 */

/** What happens to one command that meets the fail point. */
export interface Failure {
  readonly closeConnection: boolean;
  /** Milliseconds before anything else happens. */
  readonly blockMs: number;
  /** The answer in the place of the command's own. */
  readonly error: ((sections: Uint8Array) => Document) | undefined;
  /** Joins the answer of the command. */
  readonly writeConcernError: Document | undefined;
}

export interface Meeting {
  readonly command: string;
  readonly appName: string | undefined;
}

interface Armed {
  readonly commands: ReadonlySet<string>;
  readonly appName: string | undefined;
  readonly failure: Failure;
  /** So many pass first. */
  skip: number;
  /** So many are met after that. */
  times: number;
}

/** Whoever sets fail points must be able to take them back. */
const neverFail: ReadonlySet<string> = new Set(['configureFailPoint']);

/** The fail points of one cluster: each member has its own. */
export class FailPoints {
  readonly #armed = new Map<string, Armed>();
  #entered = 0;

  /** The answer to `configureFailPoint`. */
  configure(member: string, body: Document): Document {
    const { configureFailPoint: name, mode, data = {} } = body;
    if (name !== 'failCommand') throw new ServerError('FailPointSetFailed', `${name} not found`);
    const turned = turnsOf(mode);
    if (turned === undefined) this.#armed.delete(member);
    else this.#armed.set(member, { ...turned, ...readData(data) });
    return { count: this.#entered };
  }

  /** What happens to a command that a member is asked for. */
  meet(member: string, { command, appName }: Meeting): Failure | undefined {
    const armed = this.#armed.get(member);
    if (armed === undefined || neverFail.has(command) || !armed.commands.has(command)) return undefined;
    if (armed.appName !== undefined && armed.appName !== appName) return undefined;
    if (armed.skip > 0) {
      armed.skip--;
      return undefined;
    }
    armed.times--;
    if (armed.times <= 0) this.#armed.delete(member);
    this.#entered++;
    return armed.failure;
  }
}

/** How often it is met; absent: it is off. */
function turnsOf(mode: unknown): Pick<Armed, 'skip' | 'times'> | undefined {
  if (mode === 'off') return undefined;
  if (mode === 'alwaysOn') return { skip: 0, times: Number.POSITIVE_INFINITY };
  const { times, skip } = (typeof mode === 'object' && mode !== null ? mode : {}) as Document;
  if (times !== undefined) return Number(times) > 0 ? { skip: 0, times: Number(times) } : undefined;
  if (skip !== undefined) return { skip: Number(skip), times: Number.POSITIVE_INFINITY };
  throw new ServerError('BadValue', "'mode' must be one of 'off', 'alwaysOn', 'times' and 'skip'");
}

function readData(data: Document): Pick<Armed, 'commands' | 'appName' | 'failure'> {
  const { failCommands = [], appName, closeConnection, blockConnection, blockTimeMS } = data;
  return {
    commands: new Set(failCommands),
    appName,
    failure: {
      closeConnection: closeConnection === true,
      blockMs: blockConnection === true ? Number(blockTimeMS ?? 0) : 0,
      error: data.errorCode === undefined ? undefined : (sections) => errorOf(data, sections),
      writeConcernError: data.writeConcernError,
    },
  };
}

function errorOf(
  { errorCode, errorLabels: labels, errorExtraInfo }: Document,
  sections: Uint8Array,
): Document {
  const code = Number(errorCode);
  const told = labels ?? errorLabels(code, numberedBy(sections));
  const errmsg = "Failing command via 'failCommand' failpoint";
  return {
    ok: new Double(0),
    errmsg,
    code,
    codeName: nameOf(code),
    ...errorExtraInfo,
    ...(told.length === 0 ? {} : { errorLabels: told }),
  };
}

const names: Readonly<Record<number, string>> = {
  6: 'HostUnreachable',
  7: 'HostNotFound',
  11: 'UserNotFound',
  20: 'IllegalOperation',
  24: 'LockTimeout',
  50: 'MaxTimeMSExpired',
  64: 'WriteConcernFailed',
  89: 'NetworkTimeout',
  91: 'ShutdownInProgress',
  112: 'WriteConflict',
  134: 'ReadConcernMajorityNotAvailableYet',
  189: 'PrimarySteppedDown',
  251: 'NoSuchTransaction',
  262: 'ExceededTimeLimit',
  9001: 'SocketException',
  10107: 'NotWritablePrimary',
  11600: 'InterruptedAtShutdown',
  11601: 'Interrupted',
  11602: 'InterruptedDueToReplStateChange',
  13435: 'NotPrimaryNoSecondaryOk',
  13436: 'NotPrimaryOrSecondary',
};

function nameOf(code: number): string {
  return names[code] ?? `Location${code}`;
}

/** The answer of a command with what the fail point adds to it. */
export function withWriteConcernError(
  document: Uint8Array,
  error: Document,
  sections: Uint8Array,
): Uint8Array {
  const answer = deserialize(document, { promoteValues: false });
  const { errorLabels: given, ...rest } = error;
  const labels = given ?? errorLabels(Number(error.code), numberedBy(sections));
  return serialize({
    ...answer,
    writeConcernError: rest,
    ...(labels.length === 0 ? {} : { errorLabels: labels }),
  });
}
