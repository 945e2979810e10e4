import type { LineCodec } from './line-codec.ts';
import { lastLines, logFile, recordFolder } from './record-files.ts';

const MAX_LINES = 1_024;
/** Number of bytes to read. This is enough for 1,024 lines of usual length. */
const TAIL_BYTES = 512 * 1024;

/** Reads the end of a member's log, for `getLog`. */
export class RecentLines {
  readonly #path: string;
  readonly #lines: LineCodec;

  constructor(directory: string, member: string, lines: LineCodec) {
    this.#lines = lines;
    this.#path = logFile(recordFolder(directory), member, 'server').path;
  }

  /** Reads the newest lines. `total` is the number of lines with these severities within the last `TAIL_BYTES`. */
  read(severities?: ReadonlySet<string>): { lines: string[]; total: number } {
    const lines = lastLines(this.#path, TAIL_BYTES).flatMap((line) => this.#lines.read(line) ?? []);
    const all = lines.filter((line) => severities === undefined || severities.has(severityOf(line)));
    return { lines: all.slice(-MAX_LINES), total: all.length };
  }
}

function severityOf(line: string): string {
  return /"s":"([A-Z])/.exec(line)?.[1] ?? '';
}
