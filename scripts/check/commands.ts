import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import type { Finding } from './finding.ts';

/** The console has its own compiler options, since it runs in browsers. */
const CONSOLE = 'packages/console/tsconfig.json';

/**
 * Checks types. The compiler's errors look like `packages/a.ts(3,7): error TS2304: …`; further lines of a message are
 * indented.
 */
export async function checkTypes(root: string): Promise<Finding[]> {
  // The library of a published package is compiled separately, as CommonJS and with other paths. The library of
  // `portolan` includes that of the engine.
  const projects = ['tsconfig.json', 'tsconfig.library-portolan.json', CONSOLE].filter(
    (project) => project !== CONSOLE || existsSync(join(root, CONSOLE)),
  );
  const found = await Promise.all(projects.map((project) => checkProject(root, project)));
  return found.flat();
}

async function checkProject(root: string, project: string): Promise<Finding[]> {
  const options = ['-p', join(root, project), '--noEmit', '--pretty', 'false'];
  const output = await run(root, [binaryOf('@typescript/native', 'tsc'), ...options]);
  return findings(root, output, /^(?<file>[^\s(][^(]*)\((?<line>\d+),\d+\): \w+ (?<message>.+)$/);
}

/** Checks format and lint. Errors look like `::error title=lint/…,file=packages/a.ts,line=3,…::message`. */
export async function checkStyle(root: string): Promise<Finding[]> {
  const args = ['check', '--reporter=github', '--max-diagnostics=none', '--error-on-warnings'];
  const output = await run(root, [binaryOf('@biomejs/biome', 'biome'), ...args]);
  return findings(
    root,
    output,
    /^::(error|warning) .*file=(?<file>[^,]*),line=(?<line>\d+),.*?::(?<message>.*)$/,
  );
}

/** Checks whether the generated documents are up to date. */
export async function checkDocuments(root: string): Promise<Finding[]> {
  const output = await run(root, [join(root, 'scripts/docs.ts'), '--check']);
  return findings(root, output, /^(?!)/);
}

interface Output {
  readonly code: number | null;
  readonly text: string;
}

/** Returns the JavaScript file that a dependency's command runs. */
export function binaryOf(name: string, command: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`${name} is not installed`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(manifest), bin[command] ?? '');
}

export function run(root: string, args: readonly string[]): Promise<Output> {
  const flags = ['--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text: Buffer.concat(chunks).toString() }));
  });
}

/** Converts lines of a known form to findings. If a failed command printed no such line, its output is the finding. */
function findings(root: string, { code, text }: Output, form: RegExp): Finding[] {
  if (code === 0) return [];
  const found = text.split('\n').flatMap((content) => {
    const { file, line, message } = form.exec(content)?.groups ?? {};
    if (!file || !line || !message) return [];
    return [{ file: relative(root, resolve(root, file)), line: Number(line), message }];
  });
  const words = text.trim() || `ended with code ${code}`;
  return found.length > 0 ? found : words.split('\n').map((message) => ({ message }));
}
