import type { ProcessFacts } from './processes.ts';

/** A process and the one that started it. */
export interface Link {
  readonly child: number;
  readonly parent: number;
}

/** Who becomes the parent of a process whose own has ended. */
export const INIT = 1;
/** Programs that stand between a person's command and the process: `sh -c …`, and the launcher of this project. */
const BETWEEN = /^(\S*\/)?(sh|dash|bash|zsh|busybox) (sh )?-c |scripts\/run\.cjs/;
/** Programs that run the scripts of a package, by the titles they give themselves or the file that they run. */
const RUNNERS = /^(\S*\/)?(npm|npx|pnpm|yarn|bun)(\s|$)|\/(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?(\s|$)/;

/**
 * The processes between this one and the command that a person gave, `npm start` for example: as long as each has
 * the parent that it had, nobody has ended that command. Empty where no such command was given: whoever starts the
 * program from a script of their own may end the script and keep the program.
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
 * Whether the runner of a package's scripts has ended before anybody looked, during a long installation for example:
 * what stood between it and this process has become a child of the system's first process.
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
