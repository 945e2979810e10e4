import { setTimeout } from 'node:timers/promises';
import type { Ground, Lane } from './lanes.ts';

interface LaneReport {
  /** The duration of each turn in milliseconds. */
  readonly times: number[];
  /** Descriptions of the failures. */
  readonly errors: string[];
}

/** Work that continues until `end` is called. */
export interface MixedLoad {
  readonly reports: Readonly<Record<string, LaneReport>>;
  /** Ends the work. Resolves when each lane has finished its turn. */
  end(): Promise<void>;
}

/** Runs all lanes at the same time. Each lane runs one turn after another, with pauses of `pauseMs`. */
export function startLoad(
  ground: Omit<Ground, 'turn'>,
  lanes: Readonly<Record<string, Lane>>,
  pauseMs = 0,
): MixedLoad {
  let isGoing = true;
  const reports: Record<string, LaneReport> = {};
  const running = Object.entries(lanes).map(async ([name, lane]) => {
    const report: LaneReport = { times: [], errors: [] };
    reports[name] = report;
    for (let turn = 1; isGoing; turn++) {
      const start = performance.now();
      try {
        await lane({ ...ground, turn });
        report.times.push(performance.now() - start);
      } catch (error) {
        report.errors.push(error instanceof Error ? error.message : String(error));
      }
      if (pauseMs > 0) await setTimeout(pauseMs);
    }
  });
  return {
    reports,
    async end() {
      isGoing = false;
      await Promise.all(running);
    },
  };
}
