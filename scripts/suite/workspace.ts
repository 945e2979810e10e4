import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A single folder for all temporary files of a run. */
export interface Workspace extends Disposable {
  readonly path: string;
}

export function workspace(): Workspace {
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'portolan-test-'));
  // If root runs the tests, the database server runs as another user, whose files are in this folder too.
  chmodSync(path, 0o755);
  const before = Object.fromEntries(['TMPDIR', 'TEMP', 'TMP'].map((name) => [name, process.env[name]]));
  for (const name of Object.keys(before)) process.env[name] = path;
  return {
    path,
    [Symbol.dispose]() {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
