import { binaryOf, run } from './commands.ts';
import type { Finding } from './finding.ts';

/** The categories in knip's report, and the words that precede their findings. */
const MESSAGES: Readonly<Record<string, string>> = {
  files: 'nothing imports',
  exports: 'nothing else uses the export',
  types: 'nothing else uses the exported type',
  namespaceMembers: 'nothing uses the member',
  duplicates: 'exported twice:',
  dependencies: 'nothing imports the dependency',
  devDependencies: 'nothing imports the dependency',
  unlisted: 'imported and no dependency:',
  unresolved: 'cannot be resolved:',
};

interface Named {
  readonly name: string;
  readonly line?: number;
}
type Issues = { readonly file: string } & Readonly<Record<string, readonly (Named | readonly Named[])[]>>;

/** Finds unused files, exports and dependencies. `knip.json` lists the entry points. */
export async function checkUnused(root: string): Promise<Finding[]> {
  const { code, text } = await run(root, [binaryOf('knip', 'knip'), '--no-progress', '--reporter', 'json']);
  if (code !== 0 && !text.startsWith('{'))
    return text
      .trim()
      .split('\n')
      .map((message) => ({ message }));
  const { issues } = JSON.parse(text) as { issues: readonly Issues[] };
  return issues.flatMap((perFile) => Object.keys(perFile).flatMap((category) => findings(perFile, category)));
}

function findings({ file, ...issues }: Issues, category: string): Finding[] {
  const message = MESSAGES[category] ?? category;
  return (issues[category] ?? [])
    .flat()
    .filter(({ name }) => !isFamily(file, name))
    .map(({ name, line }) => ({
      file,
      ...(line === undefined ? {} : { line }),
      message: `${message} ${name}`,
    }));
}

/** Whether an export is a family, which `packages/service/src/resources/load.ts` finds by its folder. */
function isFamily(file: string, name: string): boolean {
  return name === 'family' && /^packages\/service\/src\/resources\/[^/]+\/index\.ts$/.test(file);
}
