import { buildInfo } from '@portolan/foundation/build-info';
import { type MachineClock, machineClock } from '@portolan/foundation/clock';
import { logOutput } from '@portolan/foundation/log-output';
import { systemRandom } from '@portolan/foundation/random';
import { repeat } from '@portolan/foundation/repeat';
import { shutdownRequested } from '@portolan/foundation/starter/starter';
import { pino } from 'pino';
import { MigrationHost } from './host.ts';
import { sendReport } from './service-client.ts';
import { LinkError, readLinkSettings } from './settings.ts';

/** Intervals between two reports, without and with work in progress. */
const IDLE_MS = 1_000;
const BUSY_MS = 250;
/** Interval between two attempts to contact the sources. */
const CHECK_INTERVAL_MS = 5_000;
const HOUR_MS = 3_600_000;
const BACK_OFF = { first: 500, greatest: 10_000 };

/**
 * Keeps the process alive. Timers of repeated work and signal handlers do not keep it alive. Connections do, but there
 * is no connection while a source is unreachable.
 */
function keepAlive(machine: MachineClock): () => void {
  let cancel = () => {};
  const again = () => {
    cancel = machine.after(HOUR_MS, again, { keepAlive: true });
  };
  again();
  return () => cancel();
}

/**
 * `portolan link --token TOKEN --source mongodb://…` reports deployments to the service that issued the token, and
 * migrates them when the service orders it. Runs until it is stopped or its link is deleted. Returns the exit code.
 */
export async function link(args: readonly string[]): Promise<number> {
  const settings = readLinkSettings(args);
  const machine = machineClock();
  const stopped = shutdownRequested(machine, settings.stays);
  const log = pino({ level: 'info' }, logOutput());
  await using stack = new AsyncDisposableStack();
  stack.defer(keepAlive(machine));
  const host = new MigrationHost({
    settings,
    version: buildInfo().version,
    machine,
    random: systemRandom(),
    log,
  });
  stack.defer(() => host.close());
  await host.refreshSources();
  const unwanted = Promise.withResolvers<LinkError>();
  const looks = repeat({
    machine,
    interval: CHECK_INTERVAL_MS,
    run: () => host.refreshSources(),
    onError(error) {
      if (error instanceof LinkError) unwanted.resolve(error);
      else log.error({ reason: error.message }, 'sources could not be contacted');
    },
  });
  stack.defer(() => looks.stop());
  let isLinked = false;
  const reports = repeat({
    machine,
    first: 0,
    async run() {
      const orders = await sendReport(settings, host.report());
      if (!isLinked)
        console.log(
          `ready ${orders.host} reports ${host.deployments} of ${settings.sources.length} deployments to ${settings.url}`,
        );
      isLinked = true;
      await host.take(orders);
    },
    interval: () => (host.isBusy ? BUSY_MS : IDLE_MS),
    backOff: BACK_OFF,
    onError(error) {
      if (error instanceof LinkError) unwanted.resolve(error);
      else log.warn({ reason: error.message }, 'the report to the service failed');
    },
  });
  stack.defer(() => reports.stop());
  const reason = await Promise.race([stopped, unwanted.promise]);
  if (reason) throw reason;
  return 0;
}
