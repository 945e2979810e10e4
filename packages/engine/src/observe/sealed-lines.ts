import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';

/** The lines of logs, which tell of commands and what is in them, as they lie on the disk. */
export interface Lines {
  write(line: string): string;
  /** Nothing where it was written with another key. */
  read(line: string): string | undefined;
}

const CONTEXT = 'line of a log';

const inClear: Lines = { write: (line) => line, read: (line) => line };

/** Beside an encrypted file each line is sealed with its key; a line in clear is a JSON document. */
export function linesWith(key: Uint8Array | undefined): Lines {
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

/** Writes the logs in a folder anew; lines that cannot be read are left out. Cut off, it is done again. */
export function resealLogs(folder: string, from: Uint8Array | undefined, into: Uint8Array | undefined): void {
  if (!existsSync(folder)) return;
  const [before, after] = [linesWith(from ?? into), linesWith(into)];
  for (const name of readdirSync(folder)) {
    if (!/\.(server|audit)\.log(\.\d+)?$/.test(name)) continue;
    const path = join(folder, name);
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const read = lines.flatMap((line) => before.read(line) ?? []);
    writeFileSync(`${path}.new`, read.map((line) => `${after.write(line)}\n`).join(''), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
}
