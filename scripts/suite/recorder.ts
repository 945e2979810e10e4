import type { EventData } from 'node:test';
import { inspect } from 'node:util';

/** A failed test: `suite › name`, its position in the source, and the reason. */
interface Failure {
  readonly name: string;
  readonly place: string;
  readonly reason: string;
}

export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** Standard output and error of the process, including that of other files in it. */
  readonly output: string;
  readonly milliseconds: number;
  /** Diagnostics of the tests in this file (`t.diagnostic`). */
  readonly notes?: readonly string[];
}

interface FileRecord {
  readonly file: string;
  passed: number;
  skipped: number;
  milliseconds: number;
  hasEnded: boolean;
  notes?: string[];
  readonly failures: Failure[];
}

const UNSTARTED = { passed: 0, skipped: 0, milliseconds: 0, hasEnded: false };

/**
 * Collects the events of one process, in which every file is a suite with the file's name. A file itself can also fail:
 * if it cannot be loaded, or if the process ends with an error and the file was the last one to start.
 */
export class Recorder {
  readonly #entry: string;
  readonly #records: readonly FileRecord[];
  readonly #path: string[] = [];
  readonly #output: string[] = [];
  #current: FileRecord;

  /** `entry` is the module that the process runs. `files` must not be empty. */
  constructor(entry: string, files: readonly string[]) {
    this.#entry = entry;
    this.#records = files.map((file) => ({ ...UNSTARTED, file, failures: [] }));
    this.#current = this.#records[0] as FileRecord;
  }

  /** Whether all files have ended. */
  get isComplete(): boolean {
    return this.#records.every(({ hasEnded }) => hasEnded);
  }

  /** Records an error for the file that started last. */
  add(reason: string): void {
    const { file, failures } = this.#current;
    failures.push({ name: 'the file', place: file, reason });
  }

  readonly start = ({ name, nesting }: { name: string; nesting: number }): void => {
    this.#path.splice(nesting, this.#path.length, name);
    if (nesting === 0) this.#current = this.#recordOf(name) ?? this.#current;
  };

  readonly pass = (event: EventData.TestPass): void => {
    if (event.name === this.#entry || this.#endsFile(event) || isSuite(event)) return;
    this.#current[event.skip || event.todo ? 'skipped' : 'passed']++;
  };

  readonly fail = (event: EventData.TestFail): void => {
    const { name, nesting, line, column } = event;
    const failed = causeOf(event, 'failureType');
    const isWhole = name === this.#entry || this.#endsFile(event);
    // Count tests only, since a suite also fails if one of its tests fails.
    if (failed === 'subtestsFailed' && (isWhole || isSuite(event))) return;
    if (isWhole) {
      const isEntry = name === this.#entry;
      if (failed !== 'testAborted') this.add(isEntry ? endOf(event) : reasonOf(event));
      return;
    }
    const { file, failures } = this.#current;
    const title = [...this.#path.slice(1, nesting), name].join(' › ');
    failures.push({ name: title, place: `${file}:${line}:${column}`, reason: reasonOf(event) });
  };

  /**
   * Handles diagnostics of the whole run: Node's own figures, and errors that were thrown after their test had ended.
   * Such an error makes the process fail, and nothing else reports it.
   */
  readonly diagnostic = ({ message, nesting }: { message: string; nesting: number }): void => {
    if (message.startsWith(LATE_ERROR)) this.add(message);
    else if (nesting > 0) this.#current.notes = [...(this.#current.notes ?? []), message];
  };

  readonly write = ({ message }: { message: string }): void => void this.#output.push(message);

  results({ mayBeEmpty }: { mayBeEmpty: boolean }): FileResult[] {
    for (const record of this.#records) {
      if (mayBeEmpty || record.passed + record.skipped + record.failures.length > 0) continue;
      this.#current = record;
      this.add('no test in it');
    }
    const output = this.#output.join('');
    return this.#records.map((record) => ({ ...record, output }));
  }

  #recordOf(name: string): FileRecord | undefined {
    return this.#records.find(({ file }) => file === name);
  }

  /** Whether an event is the end of a file. If it is, records the file's duration. */
  #endsFile({ name, nesting, details }: EventData.TestPass | EventData.TestFail): boolean {
    const record = nesting === 0 ? this.#recordOf(name) : undefined;
    if (record !== undefined) Object.assign(record, { milliseconds: details.duration_ms, hasEnded: true });
    return record !== undefined;
  }
}

/** The beginning of Node's diagnostic for an error that belongs to no running test. */
const LATE_ERROR = 'Error: ';

function isSuite(event: EventData.TestPass | EventData.TestFail): boolean {
  return event.details.type === 'suite';
}

function causeOf({ details }: EventData.TestFail, key: string): unknown {
  return Object.getOwnPropertyDescriptor(details.error, key)?.value;
}

/** Describes the end of a process that reported no failed test. */
function endOf(event: EventData.TestFail): string {
  const message = String(event.details.error.cause ?? event.details.error.message);
  const signal = causeOf(event, 'signal');
  const code = causeOf(event, 'exitCode');
  if (typeof signal === 'string') return `${message}: its process was ended by ${signal}`;
  return typeof code === 'number' ? `${message}: its process exited with ${code}` : message;
}

function reasonOf({ details }: EventData.TestFail): string {
  return inspect(details.error.cause ?? details.error, { depth: 6 });
}
