import type { Family, FaultInjection } from '../../resources/family.ts';
import { startTimetable, startWorker } from '../../tasks/index.ts';
import type { OpenServices } from './services.ts';

/** Work that runs until it is stopped. */
interface Running {
  stop(): Promise<void>;
}

/** Starts the worker that runs the tasks of all families. */
export function startTasks(
  families: readonly Family[],
  services: OpenServices,
  faultInjection: FaultInjection | undefined,
): Promise<Running> {
  return startWorker({
    ...services,
    services,
    log: services.log.child({ part: 'tasks' }),
    kinds: families.flatMap((family) => family.tasks ?? []),
    hosts: () => services.engines.reachable(),
    injectFault: faultInjection?.work,
  });
}

/** Starts to enqueue the tasks that fall due by service time. */
export function startSchedules(families: readonly Family[], services: OpenServices): Promise<Running> {
  return startTimetable({
    ...services,
    entries: families.flatMap((family) => family.timetable ?? []),
  });
}

/** Starts the background work of all families. `stop` stops it in reverse order. */
export async function startBackground(families: readonly Family[], services: OpenServices): Promise<Running> {
  await using started = new AsyncDisposableStack();
  for (const start of families.flatMap((family) => family.background ?? [])) {
    const running = start(services);
    started.defer(() => running.stop());
    await running.ready;
  }
  const all = started.move();
  return { stop: () => all.disposeAsync() };
}
