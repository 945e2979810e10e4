import type { Bytes } from '@portolan/engine/interface/call';

/** Merges the lines of several logs by time. Buffers one chunk of each log. */
export async function* mergeLogs(logs: readonly Bytes[]): AsyncGenerator<Uint8Array> {
  const [only] = logs;
  if (logs.length === 1 && only !== undefined) return yield* only;
  const open: Source[] = [];
  const sources = logs.map((log) => linesOf(log));
  try {
    for (const lines of sources) await advance(open, lines);
    // A linear search for the earliest line is fast enough, since only a few nodes share a host name.
    for (let first = earliest(open); first !== undefined; first = earliest(open)) {
      yield first.line;
      open.splice(open.indexOf(first), 1);
      await advance(open, first.lines);
    }
  } finally {
    for (const lines of sources) await lines.return(undefined);
  }
}

interface Source {
  readonly lines: AsyncGenerator<Buffer>;
  readonly line: Buffer;
  readonly time: string;
}

function earliest(open: readonly Source[]): Source | undefined {
  return open.reduce<Source | undefined>(
    (first, one) => (first === undefined || one.time < first.time ? one : first),
    undefined,
  );
}

async function advance(open: Source[], lines: AsyncGenerator<Buffer>): Promise<void> {
  const next = await lines.next();
  if (next.done !== true) open.push({ lines, line: next.value, time: timeOf(next.value) });
}

/**
 * Returns the time stamp of a line, which is the first date in the line. All time stamps have the same format, so they
 * sort as strings.
 */
function timeOf(line: Buffer): string {
  return /"\$date":"([^"]+)"/.exec(line.toString('latin1', 0, 400))?.[1] ?? '';
}

/** Returns the lines of a log, including their line feeds. */
async function* linesOf(bytes: Bytes): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const piece of bytes) {
    const text = Buffer.concat([rest, piece]);
    let begin = 0;
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, begin)) {
      yield text.subarray(begin, end + 1);
      begin = end + 1;
    }
    rest = text.subarray(begin);
  }
  if (rest.length > 0) yield rest;
}
