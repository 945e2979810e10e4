import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Answered, type Matrix, matrixOf, OVERVIEW } from './page.ts';
import { Respondent } from './run.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects.ts';

const folder = join(dirname(dirname(import.meta.dirname)), 'docs', 'argument-types');

/** Sends commands with the arguments in `asked` to engines; by default, with all arguments. */
export async function answers(asked: readonly Subject[] = subjects()): Promise<Matrix> {
  const [node, router] = [await Respondent.start(), await Respondent.start({ router: true })];
  try {
    const answered: Answered[] = [];
    for (const subject of asked) {
      answered.push({ subject, outcome: await (subject.router ? router : node).outcome(subject) });
    }
    return matrixOf(answered);
  } finally {
    node.end();
    router.end();
  }
}

/**
 * Writes the pages. Throws if an odd answer (see `oddities.ts`) has no reason in `reasons.ts`, or if a reason matches
 * no odd answer.
 */
export function writePages({ pages, unexplained, unused }: Matrix): void {
  if (unexplained.length + unused.length > 0) throw new Error([...unexplained, ...unused].join('\n'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
}

/**
 * Returns the stored pages that differ from the answers of one part, each with the first different line. Does not
 * compare the overview, since it covers all parts.
 */
export function stalePages({ pages }: Matrix): string[] {
  const known = existsSync(folder) ? readdirSync(folder) : [];
  return Object.entries(pages).flatMap(([name, text]) => {
    if (name === OVERVIEW) return [];
    const written = known.includes(name) ? readFileSync(join(folder, name), 'utf8') : '';
    if (written === text) return [];
    const [before, now] = [written.split('\n'), text.split('\n')];
    const at = now.findIndex((line, i) => line !== before[i]);
    return [`${name}: answered\n  ${now[at]}\nwritten\n  ${before[at]}`];
  });
}
