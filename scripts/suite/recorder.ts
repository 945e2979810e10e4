import type { EventData } from 'node:test';
import { inspect } from 'node:util';

/** A test that failed: `suite › name`, where it stands, and why. */
export interface Failure {
  readonly name: string;
  readonly place: string;
  readonly reason: string;
}

/** What came of one test file. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** What the file wrote to its standard output and error. */
  readonly output: string;
  readonly milliseconds: number;
}

/** Gathers the events of one file. Besides its tests, the file itself may fail: when its process ends with an error. */
export function recorder(root: string, file: string) {
  const path: string[] = [];
  const failures: Failure[] = [];
  const output: string[] = [];
  const count = { passed: 0, skipped: 0 };
  const isFile = (name: string) => name === `${root}/${file}`;
  const add = (reason: string) => void failures.push({ name: 'the file', place: file, reason });
  return {
    add,
    start({ name, nesting }: { name: string; nesting: number }) {
      path.splice(nesting, path.length, name);
    },
    pass(event: EventData.TestPass) {
      if (isSuite(event) || isFile(event.name)) return;
      count[event.skip || event.todo ? 'skipped' : 'passed']++;
    },
    fail(event: EventData.TestFail) {
      const { name, nesting, line, column, details } = event;
      if (causeOf(event, 'failureType') === 'testAborted' && isFile(name)) return;
      if (isFile(name)) return add(String(details.error.cause ?? details.error.message));
      // A suite fails with its tests, which are counted.
      if (causeOf(event, 'failureType') === 'subtestsFailed' && isSuite(event)) return;
      const place = `${file}:${line}:${column}`;
      failures.push({ name: [...path.slice(0, nesting), name].join(' › '), place, reason: reasonOf(event) });
    },
    write({ message }: { message: string }) {
      output.push(message);
    },
    result({ mayBeEmpty, milliseconds }: { mayBeEmpty: boolean; milliseconds: number }): FileResult {
      const isEmpty = count.passed + count.skipped + failures.length === 0;
      if (isEmpty && !mayBeEmpty) add('no test in it');
      return { file, ...count, failures, output: output.join(''), milliseconds };
    },
  };
}

function isSuite(event: EventData.TestPass | EventData.TestFail): boolean {
  return event.details.type === 'suite';
}

function causeOf({ details }: EventData.TestFail, key: string): unknown {
  return Object.getOwnPropertyDescriptor(details.error, key)?.value;
}

function reasonOf({ details }: EventData.TestFail): string {
  return inspect(details.error.cause ?? details.error, { depth: 6 });
}
