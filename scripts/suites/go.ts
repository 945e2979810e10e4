import type { Run } from './suite.ts';

/** Tests packages one after another, since they share a server. */
export function goTests(report: string, packages: readonly string[], ...more: readonly string[]): Run {
  const line = ['go', 'test', '-json', '-count=1', '-p=1', '-timeout=60m', ...more, ...packages];
  return {
    program: 'sh',
    args: ['-c', `report=$1; shift; "$@" > "$report"`, 'sh', report, ...line],
    report,
    format: 'go',
  };
}
