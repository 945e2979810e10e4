import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';

/**
 * Converts log lines to their stored form and back. The stored form may be encrypted, because lines contain commands
 * with their values.
 */
export interface LineCodec {
  write(line: string): string;
  /** Decodes a line. Returns undefined if the line was encrypted with another key. */
  read(line: string): string | undefined;
}

const CONTEXT = 'line of a log';

const inClear: LineCodec = { write: (line) => line, read: (line) => line };

/**
 * Creates a codec that encrypts each line if there is a key. A line that begins with a brace is an unencrypted JSON
 * document.
 */
export function lineCodec(key: Uint8Array | undefined): LineCodec {
  if (key === undefined) return inClear;
  const box = secretBox(key, systemRandom());
  return {
    write: (line) => Buffer.from(box.seal(line, CONTEXT)).toString('base64'),
    read(line) {
      if (line.startsWith('{')) return line;
      try {
        return box.open(Buffer.from(line, 'base64'), CONTEXT).toString();
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Rewrites the server logs and audit logs in a folder with another key. Drops lines that cannot be read. If
 * the process ends meanwhile, the call can be repeated.
 */
export function resealLogs(folder: string, from: Uint8Array | undefined, into: Uint8Array | undefined): void {
  if (!existsSync(folder)) return;
  const [before, after] = [lineCodec(from ?? into), lineCodec(into)];
  for (const name of readdirSync(folder)) {
    if (!/\.(server|audit)\.log(\.\d+)?$/.test(name)) continue;
    const path = join(folder, name);
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const read = lines.flatMap((line) => before.read(line) ?? []);
    writeFileSync(`${path}.new`, read.map((line) => `${after.write(line)}\n`).join(''), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
}
