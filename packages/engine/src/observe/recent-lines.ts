import { lastLines, logFile, recordFolder } from './record-files.ts';
import type { Lines } from './sealed-lines.ts';

const MOST_LINES = 1_024;
/** Enough for as many lines of common length. */
const TAIL_BYTES = 512 * 1024;

/** The end of a member's log, as `getLog` tells it. */
export class RecentLines {
  readonly #path: string;
  readonly #lines: Lines;

  constructor(directory: string, member: string, lines: Lines) {
    this.#lines = lines;
    this.#path = logFile(recordFolder(directory), member, 'server').path;
  }

  /** `total`: how many lines of these severities the end of the file has. */
  read(severities?: ReadonlySet<string>): { lines: string[]; total: number } {
    const lines = lastLines(this.#path, TAIL_BYTES).flatMap((line) => this.#lines.read(line) ?? []);
    const all = lines.filter((line) => severities === undefined || severities.has(severityOf(line)));
    return { lines: all.slice(-MOST_LINES), total: all.length };
  }
}

function severityOf(line: string): string {
  return /"s":"([A-Z])/.exec(line)?.[1] ?? '';
}
