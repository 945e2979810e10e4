import type { Finding } from './finding.ts';
import { lineOf, type Source, type SyntaxNode } from './source.ts';
import { isTest } from './tree.ts';

const FAMILIES = 'packages/service/src/resources/';

/** Families that exist for one engine, and files that store or translate the facts that engines have found. */
const HOMES = [
  /^(deployments|kubernetes|engine-hosts)\//,
  /^clusters\/model\/(capabilities|cluster|servers)\.ts$/,
  /^clusters\/lifecycle\/found\.ts$/,
];

const KINDS: readonly unknown[] = ['embedded', 'adopted', 'kubernetes'];

/** Names that say which engine a cluster has. Only the rule about regions compares engines. */
const NAMES: Readonly<Record<string, RegExp | undefined>> = {
  engineKinds: undefined,
  engineOf: /^clusters\/rules\/engine-regions\.ts$/,
  ADOPTED_HOST: undefined,
  KUBERNETES_HOST: undefined,
};

/**
 * Lets resource families ask only for capabilities and traits of engines, and never for the kind of an engine, its name
 * or facts that only one engine finds.
 */
export function checkEngineKinds(sources: readonly Source[]): Finding[] {
  return sources.flatMap(({ path, nodes }) => {
    const own = path.slice(FAMILIES.length);
    if (!path.startsWith(FAMILIES) || isTest(path) || HOMES.some((home) => home.test(own))) return [];
    return nodes
      .filter((node) => asksForKind(node, own))
      .map((node) => ({
        file: path,
        line: lineOf(node),
        message: 'ask for a capability, not for the engine',
      }));
  });
}

function asksForKind(node: SyntaxNode, path: string): boolean {
  const { type, value, imported, object, property, key } = node;
  if (type === 'Literal') return KINDS.includes(value);
  if (type === 'ImportSpecifier') {
    const name = imported?.name ?? '';
    return name in NAMES && NAMES[name]?.test(path) !== true;
  }
  if (type === 'MemberExpression')
    return property?.name === 'found' && (object?.name ?? object?.property?.name) === 'placement';
  if (type === 'Property') return key?.name === 'placement' && hasFound(node.value as SyntaxNode);
  if (type === 'VariableDeclarator')
    return (node.init?.name ?? node.init?.property?.name) === 'placement' && hasFound(node.id);
  return false;
}

/** Whether a pattern reads the facts that an engine has found. */
function hasFound(pattern: SyntaxNode | null | undefined): boolean {
  return (
    pattern?.type === 'ObjectPattern' && (pattern.properties ?? []).some(({ key }) => key?.name === 'found')
  );
}
