import type { Finding } from './finding.ts';
import { lineOf, type Source, type SyntaxNode } from './source.ts';

/** Matches the marks. It is assembled from parts, so that this file does not contain them. */
const MARKS = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`);
const TEST_FUNCTIONS = new Set(['test', 'it', 'describe', 'suite']);
const TEST_CONTEXTS = new Set(['t', 'context']);
const EXEMPTIONS = new Set(['only', 'skip', 'todo']);

/** Finds marks of unfinished work, and tests that are skipped or that exclude other tests. */
export function checkLeftovers(sources: readonly Source[]): Finding[] {
  return sources.flatMap((source) => [...marks(source), ...exemptions(source)]);
}

function marks({ path, text }: Source): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const mark = MARKS.exec(content);
    return mark ? [{ file: path, line: index + 1, message: `${mark[0]} is left` }] : [];
  });
}

function exemptions({ path, nodes }: Source): Finding[] {
  return nodes
    .filter(({ type }) => type === 'CallExpression')
    .flatMap((call) => {
      const exemption = exemptingMethod(call) ?? exemptingOption(call);
      return exemption === undefined
        ? []
        : [{ file: path, line: lineOf(call), message: `test with ${exemption}` }];
    });
}

/** Matches `test.only(…)` and `t.skip()`. */
function exemptingMethod({ callee }: SyntaxNode): string | undefined {
  const owner = callee?.object?.name ?? '';
  const method = callee?.property?.name ?? '';
  const isTestCall = TEST_FUNCTIONS.has(owner) || TEST_CONTEXTS.has(owner);
  return isTestCall && EXEMPTIONS.has(method) ? `.${method}()` : undefined;
}

/** Matches `test(name, { skip: true }, …)`. */
function exemptingOption(call: SyntaxNode): string | undefined {
  if (!TEST_FUNCTIONS.has(call.callee?.name ?? '')) return undefined;
  const options = call.arguments?.find(({ type }) => type === 'ObjectExpression');
  const keys = options?.properties?.map(({ key }) => key?.name ?? '') ?? [];
  const found = keys.find((key) => EXEMPTIONS.has(key));
  return found === undefined ? undefined : `{ ${found} }`;
}
