import type { IFlattenedRuleSet, IForbiddenRuleType } from 'dependency-cruiser';
import { AREAS, LAYERS, type Part, ROOMS } from './order.ts';

/** Tests, and what only they use; the same as `isTest` of `../tree.ts`. */
const TESTS = ['\\.(test|soak)\\.ts$', '/testing(-[^/]+|)\\.ts$', '/testing/'];
/** Part of the package: it finds the Node.js for whatever is started. */
const LAUNCHER = '^scripts/run\\.cjs$';
/** A file of a family. Files of `resources` itself are shared by all families. */
const FAMILY = '^src/resources/([^/]+)/';

/** What must hold between files. The names of the rules are the messages, and end before the file that is imported. */
export const importRules: IFlattenedRuleSet = {
  forbidden: [
    rule('circle of files:', {}, { circular: true }),
    rule('circle of families:', { path: '^src/resources/[^/]+$' }, { circular: true }, 'folder'),
    ...inOrder(LAYERS),
    rule('engine imports nothing but runtime, and not', within('engine'), {
      path: '^src/',
      pathNot: '^src/(engine|runtime)/',
    }),
    // Tests of inner rooms look at them through outer ones.
    ...inOrder(ROOMS, TESTS),
    ...inOrder(AREAS, TESTS),
    rule(
      'rows.ts imports the store and its own family, and not',
      { path: '^src/resources/([^/]+)/.*\\brows\\.ts$' },
      { path: '^src/', pathNot: ['^src/store/', '^src/resources/$1/'] },
    ),
    rule(
      'another family is imported through its index.ts only, and not',
      { path: FAMILY },
      {
        path: FAMILY,
        // What it has for the tests of others is beside it; `for tests only` sees to the rest.
        pathNot: ['^src/resources/$1/', '^src/resources/[^/]+/(index|testing)\\.ts$'],
      },
    ),
    rule(
      'what the families share must not import the family of',
      { path: '^src/resources/[^/]+$' },
      { path: FAMILY },
    ),
    rule('src must not import', { path: '^src/', pathNot: TESTS }, { pathNot: ['^src/', LAUNCHER] }),
    rule('src must not import', { path: '^src/' }, { pathNot: ['^src/', LAUNCHER, '^test/support/'] }),
    rule('for tests only:', { path: '^src/', pathNot: TESTS }, { path: TESTS }),
    rule('whole-service tests must not import', { path: '^test/' }, { path: '^src/' }),
  ],
};

/** A rule for each part: it imports none of those that stand before it. */
function inOrder(parts: readonly Part[], exempt: string[] = []): IForbiddenRuleType[] {
  return parts.slice(1).map(({ name, path }, index) => {
    const outer = parts.slice(0, index + 1).map((part) => part.path);
    return rule(`${name} must not import`, { path, pathNot: exempt }, { path: outer });
  });
}

type RegularRule = Extract<IForbiddenRuleType, { scope?: unknown }>;

function rule(
  name: string,
  from: RegularRule['from'],
  to: RegularRule['to'],
  scope: 'module' | 'folder' = 'module',
): IForbiddenRuleType {
  return { name, severity: 'error', from, to, scope };
}

function within(layer: string): { path: string } {
  return { path: `^src/${layer}/` };
}
