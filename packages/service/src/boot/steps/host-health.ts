import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { repeat } from '@portolan/foundation/repeat';

/** Interval of health checks of connected hosts. */
const ASK_MS = 2_000;
/**
 * A host that does not respond for this long counts as hanging. On a busy machine, even a working host can be
 * silent for ten seconds.
 */
const SILENT_MS = 20_000;

/** An engine host to check. */
interface Answering {
  answers(withinMs: number): Promise<boolean>;
}

/** Checks at intervals which engine hosts respond. */
export function watchHealth(
  hosts: () => ReadonlyMap<string, Answering>,
  { machine, log }: { readonly machine: MachineClock; readonly log: Log },
) {
  let silent: readonly string[] = [];

  async function check(): Promise<void> {
    const answers = await Promise.all(
      [...hosts()].map(async ([name, host]) => ({ name, answered: await host.answers(SILENT_MS) })),
    );
    const now = answers.filter(({ answered }) => !answered).map(({ name }) => name);
    for (const host of now) if (!silent.includes(host)) log.warn({ host }, 'an engine host does not answer');
    silent = now;
  }
  const checks = repeat({
    machine,
    run: check,
    interval: ASK_MS,
    onError: (error) => log.debug({ reason: error.message }, 'engine hosts could not be checked'),
  });
  return { silent: () => silent, stop: () => checks.stop() };
}
