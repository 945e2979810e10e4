import { stripTypeScriptTypes } from 'node:module';
import { type Node, parse } from 'acorn';

/** An imported module, and the line of the import. */
interface Import {
  /** The specifier as in the source: `../store/store.ts`, `kysely`, `node:fs`. */
  readonly specifier: string;
  readonly line: number;
}

/** A function with a block body. Its lines include those of nested functions. */
interface FunctionSpan {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

/** A hand-written file, with the facts that the rules use. */
export interface Source {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionSpan[];
  readonly nodes: readonly SyntaxNode[];
}

/** A node of the syntax tree (ESTree), with the fields that the rules use. */
export interface SyntaxNode extends Node {
  readonly source?: SyntaxNode | null;
  readonly value?: unknown;
  readonly name?: string;
  readonly id?: SyntaxNode | null;
  readonly init?: SyntaxNode | null;
  readonly key?: SyntaxNode;
  readonly body?: unknown;
  readonly callee?: SyntaxNode;
  readonly object?: SyntaxNode;
  readonly property?: SyntaxNode;
  readonly tag?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly properties?: readonly SyntaxNode[];
  readonly specifiers?: readonly SyntaxNode[];
  readonly imported?: SyntaxNode;
}

const TYPE_IMPORT = /^(import|export)( +type)(?= +\*| *\{[^}]*\}\s*from\b| +\w+ from\b)/gm;
const IMPORT_TYPE = /\bimport\(\s*(['"])(.+?)\1\s*\)/g;

/** Parses a file. Throws a SyntaxError if the text is not TypeScript whose types can be stripped. */
export function parseSource(path: string, text: string): Source {
  // Stripping types keeps lines and columns, but removes `import type`. The order of imports applies to these imports,
  // too.
  const visible = text.replace(TYPE_IMPORT, (_, keyword, type) => keyword + ' '.repeat(type.length));
  const stripped = path.endsWith('.ts') ? stripTypeScriptTypes(visible, { mode: 'strip' }) : text;
  const nodes = [...walk(parseModule(stripped, path.endsWith('.cjs')))];
  const imports = [...nodes.flatMap(importOf), ...erasedImports(text, stripped)];
  return { path, text, imports, functions: nodes.flatMap(functionOf), nodes };
}

function parseModule(code: string, isCommonJs: boolean): SyntaxNode {
  return parse(code, {
    ecmaVersion: 'latest',
    sourceType: isCommonJs ? 'script' : 'module',
    locations: true,
  }) as SyntaxNode;
}

function* walk(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) yield* walk(child);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

export function lineOf(node: SyntaxNode): number {
  return node.loc?.start.line ?? 1;
}

function importOf(node: SyntaxNode): Import[] {
  const specifier = node.type === 'CallExpression' ? requiredBy(node) : node.source?.value;
  return typeof specifier === 'string' ? [{ specifier, line: lineOf(node) }] : [];
}

function requiredBy(call: SyntaxNode): unknown {
  return call.callee?.name === 'require' ? call.arguments?.[0]?.value : undefined;
}

/** Finds `import('./x.ts').Type` in types, which stripping has removed. */
function erasedImports(text: string, stripped: string): Import[] {
  return [...text.matchAll(IMPORT_TYPE)]
    .filter((match) => stripped.slice(match.index, match.index + match[0].length).trim() === '')
    .map((match) => ({ specifier: match[2] ?? '', line: text.slice(0, match.index).split('\n').length }));
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function functionOf(node: SyntaxNode): FunctionSpan[] {
  const hasBlock = FUNCTIONS.has(node.type) && isNode(node.body) && node.body.type === 'BlockStatement';
  if (!hasBlock || !node.loc) return [];
  const lines = node.loc.end.line - node.loc.start.line + 1;
  return [{ name: node.id?.name ?? 'function', line: lineOf(node), lines }];
}
