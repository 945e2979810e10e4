import type { IFlattenedRuleSet, IForbiddenRuleType } from 'dependency-cruiser';
import { ORDERS, type Part } from './order.ts';

/** Matches tests, and files that only tests use. Like `isTest` in `../tree.ts`, but without `test/`. */
const TESTS = ['\\.(test|soak)\\.ts$', '/testing(-[^/]+|)\\.ts$', '/testing/'];
/**
 * Matches a file of a resource family, which is a folder in `resources`. Files directly in `resources` belong to no
 * family.
 */
const RESOURCES = 'packages/service/src/resources';
const FAMILY = `^${RESOURCES}/([^/]+)/`;
const PACKAGES = '^packages/';

/** The rules between files. The name of a rule is its message; the path of the imported file is appended. */
export const importRules: IFlattenedRuleSet = {
  forbidden: [
    rule('circle of files:', {}, { circular: true }),
    ...Object.values(ORDERS).flatMap(inOrder),
    rule(
      'rows.ts imports the store and its own family, and not',
      { path: `${FAMILY}.*\\brows\\.ts$` },
      {
        path: '^packages/(service|engine|portolan)/',
        pathNot: ['^packages/service/src/store/', `^${RESOURCES}/$1/`],
      },
    ),
    rule(
      'another family is imported through its index.ts only, and not',
      { path: FAMILY },
      {
        path: FAMILY,
        // Besides its index.ts, a family may have a testing.ts with fixtures for the tests of other families. The rule
        // `for tests only` covers this file.
        pathNot: [`^${RESOURCES}/$1/`, `^${RESOURCES}/[^/]+/(index|testing)\\.ts$`],
      },
    ),
    rule(
      'what the families share must not import the family of',
      { path: `^${RESOURCES}/[^/]+$` },
      { path: FAMILY },
    ),
    rule('packages must not import', { path: PACKAGES, pathNot: TESTS }, { pathNot: [PACKAGES] }),
    rule('packages must not import', { path: PACKAGES }, { pathNot: [PACKAGES, '^test/support/'] }),
    rule('for tests only:', { path: PACKAGES, pathNot: TESTS }, { path: TESTS }),
    rule('whole-service tests must not import', { path: '^test/' }, { path: PACKAGES }),
  ],
};

/** For each part, a rule that it must not import any part before it. */
function inOrder(parts: readonly Part[]): IForbiddenRuleType[] {
  return parts.slice(1).map(({ name, path }, index) => {
    const outer = parts.slice(0, index + 1).map((part) => part.path);
    return rule(`${name} must not import`, { path, pathNot: TESTS }, { path: outer });
  });
}

type RegularRule = Extract<IForbiddenRuleType, { scope?: unknown }>;

function rule(name: string, from: RegularRule['from'], to: RegularRule['to']): IForbiddenRuleType {
  return { name, severity: 'error', from, to, scope: 'module' };
}
