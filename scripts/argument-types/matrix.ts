import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Answered, type Matrix, matrixOf } from './page.ts';
import { Respondent } from './run.ts';
import { subjects } from './subjects.ts';

const folder = join(dirname(dirname(import.meta.dirname)), 'docs', 'argument-types');

/** Asks engines everything. */
export async function answers(): Promise<Matrix> {
  const [node, router] = [await Respondent.start(), await Respondent.start({ router: true })];
  try {
    const answered: Answered[] = [];
    for (const subject of subjects()) {
      answered.push({ subject, outcome: await (subject.router ? router : node).outcome(subject) });
    }
    return matrixOf(answered);
  } finally {
    node.end();
    router.end();
  }
}

export function writePages({ pages }: Matrix): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
}

/** The pages that differ from the answers, with the first line that does. */
export function stalePages({ pages }: Matrix): string[] {
  const known = existsSync(folder) ? readdirSync(folder) : [];
  const extra = known.filter((name) => pages[name] === undefined).map((name) => `${name}: not generated`);
  const stale = Object.entries(pages).flatMap(([name, text]) => {
    const written = known.includes(name) ? readFileSync(join(folder, name), 'utf8') : '';
    if (written === text) return [];
    const [before, now] = [written.split('\n'), text.split('\n')];
    const at = now.findIndex((line, i) => line !== before[i]);
    return [`${name}: answered\n  ${now[at]}\nwritten\n  ${before[at]}`];
  });
  return [...extra, ...stale];
}
