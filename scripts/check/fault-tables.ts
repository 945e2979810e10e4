import type { Finding } from './finding.ts';
import { lineOf, type Source } from './source.ts';
import { isTest } from './tree.ts';

/** Allows fault tables of the service only in files named `faults.ts`, so that the text of an error is easy to find. */
export function checkFaultTables(sources: readonly Source[]): Finding[] {
  return sources
    .filter(
      ({ path }) => path.startsWith('packages/service/') && !isTest(path) && !path.endsWith('/faults.ts'),
    )
    .flatMap(({ path, nodes }) =>
      nodes
        .filter(({ type, callee }) => type === 'CallExpression' && callee?.name === 'faults')
        .map((node) => ({ file: path, line: lineOf(node), message: 'fault tables are for faults.ts' })),
    );
}
