import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

/** The lock file fits any registry: it names versions and checksums, and no host. */
export function checkLockFile(root: string): Finding[] {
  const file = 'package-lock.json';
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((content, index) =>
      content.includes('"resolved":')
        ? [
            {
              file,
              line: index + 1,
              message: 'names a registry host; install with omit-lockfile-registry-resolved',
            },
          ]
        : [],
    );
}
