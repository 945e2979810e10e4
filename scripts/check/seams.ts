import type { Finding } from './finding.ts';
import { lineOf, type Source, type SyntaxNode } from './source.ts';
import { isTest } from './tree.ts';

/**
 * The only package that may use the machine's clocks, timers and randomness. All other code receives them as arguments.
 */
const HOME = 'packages/foundation/src/';

const TIMERS: ReadonlySet<string> = new Set(['setTimeout', 'setInterval']);
const RANDOM = /^(random(?!$)|getRandomValues$)/;
/** The members of global objects that are raw sources of time or randomness. Timers are called without an object. */
const RAW: Readonly<Record<string, RegExp>> = {
  Date: /^now$/,
  performance: /^now$/,
  process: /^hrtime$/,
  Math: /^random$/,
  crypto: RANDOM,
};
const MODULES: Readonly<Record<string, RegExp>> = {
  'node:crypto': RANDOM,
  'node:timers': /^set(Timeout|Interval)$/,
  'node:timers/promises': /^set(Timeout|Interval)$/,
};

/**
 * Finds uses of raw clocks, timers and randomness outside of `packages/foundation/src`, since tests cannot control
 * them.
 */
export function checkRawSources(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => path.startsWith('packages/') && !path.startsWith(HOME) && !isTest(path))
    .flatMap(({ path, nodes }) =>
      nodes.flatMap((node) =>
        rawIn(node).map((what) => ({ file: path, line: lineOf(node), message: `${what} is for ${HOME}` })),
      ),
    );
}

function rawIn(node: SyntaxNode): string[] {
  const { type, callee, object, property } = node;
  if (type === 'NewExpression' && callee?.name === 'Date' && node.arguments?.length === 0)
    return ['new Date()'];
  if (type === 'CallExpression' && TIMERS.has(callee?.name ?? '')) return [`${callee?.name}`];
  if (type === 'ImportDeclaration') return rawImports(node);
  const member = property?.name ?? '';
  if (type === 'MemberExpression' && RAW[object?.name ?? '']?.test(member))
    return [`${object?.name}.${member}`];
  return [];
}

function rawImports({ source, specifiers = [] }: SyntaxNode): string[] {
  const raw = MODULES[String(source?.value)];
  return specifiers.map(({ imported }) => imported?.name ?? '').filter((name) => raw?.test(name));
}
