import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from './finding.ts';

/** Hand-written documents that mention paths. */
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md'];

/**
 * Matches paths such as `packages/service/src/api/edge.ts`, in backticks or at the beginning of an indented line.
 * `store/store.ts` is relative to the `src` of a package.
 */
const NAMED = [/`([\w.-]+(?:\/[\w.-]+)+)\/?`/g, /^ {4}((?:packages|docs|test|bench|scripts)\/[\w./-]+)/g];
/** Matches links such as `[text](docs/settings.md#anchor)`, which are relative to the document. */
const LINKED = /\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g;
const PACKAGES = ['foundation', 'engine', 'service', 'console', 'portolan'].map(
  (name) => `packages/${name}/src`,
);
const FOLDER = /^(\.ci|bench|docs|packages|scripts|test)\//;

const ARCHITECTURE = 'docs/architecture.md';
/** The documents must name every folder directly below these. */
const DESCRIBED = [...PACKAGES, 'packages/service/src/resources', 'packages/service/src/api'];

/**
 * Checks that every file and folder to which the documents refer exists, and that the documents describe every folder.
 */
export function checkPaths(root: string): Finding[] {
  const documents = DOCUMENTS.filter((file) => existsSync(join(root, file)));
  return [...documents.flatMap((file) => missingIn(root, file)), ...undescribedIn(root)];
}

function undescribedIn(root: string): Finding[] {
  if (!existsSync(join(root, ARCHITECTURE))) return [];
  const text = readFileSync(join(root, ARCHITECTURE), 'utf8');
  return DESCRIBED.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !text.includes(`\`${entry.name}\``))
      .map(({ name }) => ({ file: ARCHITECTURE, message: `does not name the folder ${folder}/${name}` })),
  );
}

function missingIn(root: string, file: string): Finding[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((content, index) => {
    const named = matches(content, ...NAMED).filter((path) => FOLDER.test(path) || path.endsWith('.ts'));
    const linked = matches(content, LINKED).map((path) => join(dirname(file), path));
    return [...named, ...linked]
      .filter(
        (path) =>
          !existsSync(join(root, path)) && !PACKAGES.some((each) => existsSync(join(root, each, path))),
      )
      .map((path) => ({ file, line: index + 1, message: `names ${path}, which is not there` }));
  });
}

function matches(text: string, ...forms: readonly RegExp[]): string[] {
  return forms.flatMap((form) => [...text.matchAll(form)].map(([, path = '']) => path));
}
