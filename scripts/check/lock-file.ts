import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

/** The lock files of the project, and of the tools that tests use. */
const LOCK_FILES = ['', 'test/tools/', 'test/tools/mcp-server/'].map(
  (folder) => `${folder}package-lock.json`,
);

/** Checks that lock files name no host, so that they work with any registry. */
export function checkLockFile(root: string): Finding[] {
  return LOCK_FILES.filter((file) => existsSync(join(root, file))).flatMap((file) => hostsIn(root, file));
}

function hostsIn(root: string, file: string): Finding[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((content, index) =>
      /"resolved": "[a-z+]+:/.test(content)
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
