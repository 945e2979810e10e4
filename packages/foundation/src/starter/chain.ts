import type { ProcessFacts } from './processes.ts';

/** A process and its parent. */
export interface Link {
  readonly child: number;
  readonly parent: number;
}

/** The process that adopts orphans. */
export const INIT = 1;
/** Programs between the command that a user ran and the process: `sh -c …`, and this project's launcher. */
const BETWEEN = /^(\S*\/)?(sh|dash|bash|zsh|busybox) (sh )?-c |scripts\/run\.cjs/;
/** Programs that run package scripts, matched by process title or by the file that they run. */
const RUNNERS = /^(\S*\/)?(npm|npx|pnpm|yarn|bun)(\s|$)|\/(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?(\s|$)/;

/**
 * The processes between this one and the command that the user ran, such as `npm start`. As long as each of them has
 * the same parent, that command is still running. Empty without such a command: a user's own script can end while the
 * program keeps running.
 */
export function startingChain(pid: number, factsOf: (pid: number) => ProcessFacts | undefined): Link[] {
  const chain: Link[] = [];
  let launched = 0;
  for (let child = pid; ; ) {
    const parent = factsOf(child)?.parent;
    const above = parent === undefined ? undefined : factsOf(parent);
    if (parent === undefined || above === undefined) return chain.slice(0, launched);
    chain.push({ child, parent });
    if (RUNNERS.test(above.command)) return chain;
    if (!BETWEEN.test(above.command)) return chain.slice(0, launched);
    if (above.command.includes('scripts/run.cjs') && !/ -c /.test(above.command)) launched = chain.length;
    child = parent;
  }
}

/**
 * Whether the package script runner had already ended when this process started, for example during a long
 * installation: the processes between the two are then children of the system's first process.
 */
export function hasLostRunner(pid: number, factsOf: (pid: number) => ProcessFacts | undefined): boolean {
  for (let child = pid; ; ) {
    const parent = factsOf(child)?.parent;
    const above = parent === undefined ? undefined : factsOf(parent);
    if (parent === undefined || above === undefined || RUNNERS.test(above.command)) return false;
    if (parent === INIT) return true;
    if (!BETWEEN.test(above.command)) return false;
    child = parent;
  }
}
