import type { FileResult } from './recorder.ts';

const SLOWEST = 5;

/** Returns a line about a file. If the file failed, its failures and its output follow. */
export function describeFile({
  file,
  passed,
  skipped,
  failures,
  output,
  milliseconds,
  notes = [],
}: FileResult): string {
  const total = passed + skipped + failures.length;
  const line = `${file}  ${total} ${total === 1 ? 'test' : 'tests'}  ${seconds(milliseconds)}`;
  if (failures.length === 0) return [`ok    ${line}`, ...notes.map((note) => indent(note))].join('\n');
  const failureTexts = failures.map(
    ({ name, place, reason }) => `${indent(`${name}  (${place})\n${indent(reason)}`)}\n`,
  );
  const written =
    output.trim() === '' ? [] : [`${indent(`output of the file:\n${indent(output.trimEnd())}`)}\n`];
  return [`FAIL  ${line}`, ...failureTexts, ...written].join('\n');
}

/**
 * Returns the last lines of the output: failures, the slowest files, the counts in the words of `node --test`, and a
 * summary.
 */
export function summarise(results: readonly FileResult[], milliseconds: number): string {
  const passed = sum(results.map((result) => result.passed));
  const skipped = sum(results.map((result) => result.skipped));
  const failed = sum(results.map((result) => result.failures.length));
  const slowest = results.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
  return [
    ...(failed > 0 ? ['', 'failed:', ...results.flatMap(failedTests)] : []),
    '',
    'slowest files:',
    ...slowest.map((result) => `  ${seconds(result.milliseconds).padStart(7)}  ${result.file}`),
    '',
    `# tests ${passed + skipped + failed}`,
    `# pass ${passed}`,
    `# fail ${failed}`,
    `# skipped ${skipped}`,
    `# duration_ms ${Math.round(milliseconds)}`,
    `${passed} passed, ${failed} failed`,
  ].join('\n');
}

function failedTests({ failures }: FileResult): string[] {
  return failures.map(({ name, place }) => `  ${name}  (${place})`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '      ');
}
