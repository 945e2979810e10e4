import type { Outcome } from './report.ts';

/** A line of `go test -json`. A line without a test is about the whole package. */
interface GoEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
}

const results = { pass: 'passed', fail: 'failed', skip: 'skipped' } as const;
const LONGEST_MESSAGE = 300;

/**
 * Reads the tests of a Go report. A test with subtests counts only if it failed by itself. A package counts only if it
 * failed without a failed test: it could not be built, or it ended early.
 */
export function readGoReport(lines: string): Outcome[] {
  const output = new Map<string, string>();
  const ended = new Map<string, Outcome['result']>();
  for (const { Action, Package, Test, Output } of eventsOf(lines)) {
    const name = Test === undefined ? `${Package}` : `${Package} › ${Test}`;
    if (Action === 'output') output.set(name, `${output.get(name) ?? ''}${Output ?? ''}`);
    if (Object.hasOwn(results, Action)) ended.set(name, results[Action as keyof typeof results]);
  }
  const withParts = new Set([...ended.keys()].flatMap(containersOf));
  const failedBelow = new Set(
    [...ended].filter(([, end]) => end === 'failed').flatMap(([name]) => containersOf(name)),
  );
  return [...ended].flatMap(([name, result]): Outcome[] => {
    if (result !== 'failed')
      return withParts.has(name) || !name.includes(' › ') ? [] : [{ test: name, result }];
    if (failedBelow.has(name)) return [];
    const test = name.includes(' › ') ? name : `${name} › (the whole package)`;
    return [{ test, result, message: messageOf(output.get(name) ?? '') }];
  });
}

function eventsOf(lines: string): GoEvent[] {
  return lines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as GoEvent)
    .filter((event) => event.Package !== undefined);
}

/** Returns the tests that contain a subtest, and its package. */
function containersOf(name: string): string[] {
  const [folder = '', test] = name.split(' › ');
  if (test === undefined) return [];
  const parts = test.split('/');
  return [folder, ...parts.slice(1).map((_, i) => `${folder} › ${parts.slice(0, i + 1).join('/')}`)];
}

function messageOf(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !/^(?:===|---) |^(?:Error Trace|Test):/.test(line));
  return said.join(' ').slice(0, LONGEST_MESSAGE);
}
