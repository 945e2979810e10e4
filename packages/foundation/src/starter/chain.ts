import type { ProcessFacts } from './processes.ts';

/** A process and its parent. */
export interface Link {
  readonly child: number;
  readonly parent: number;
}

/** The id of the process that adopts orphans. */
export const INIT = 1;
/** Programs between the command of the user and this process: shells (`sh -c …`) and this project's launcher. */
const BETWEEN = /^(\S*\/)?(sh|dash|bash|zsh|busybox) (sh )?-c |scripts\/run\.cjs/;
/** Programs that run package scripts, recognized by their process title or by the file that they run. */
const RUNNERS = /^(\S*\/)?(npm|npx|pnpm|yarn|bun)(\s|$)|\/(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?(\s|$)/;

/**
 * Returns the processes between this one and the command that the user ran, such as `npm start`. While each of these
 * processes keeps its parent, the command is still running. Returns an empty list if there is no such command: a
 * script of the user may have started the program, and can end while the program keeps running.
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
 * True if the package script runner had already ended when this process started, for example during a long
 * installation. In that case, the first process of the system has become the parent of the shell or launcher that the
 * runner had started.
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
