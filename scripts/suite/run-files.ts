import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { groupModule, seeded, sharingServices } from './groups.ts';
import { type FileResult, Recorder } from './recorder.ts';

export interface FileOptions {
  /** Runs only tests whose name matches. */
  readonly grep: RegExp | undefined;
  /** The time limit of a process with few files, in milliseconds. A process with more files has a higher limit. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** The seed of the property tests; undefined if these files contain none. */
  readonly seed: number | undefined;
  /** Whether the files share a service. */
  readonly isSharing: boolean;
}

const FILES_PER_LIMIT = 2;

let groups = 0;

/** Runs test files, relative to `root`, one after another in one process. */
export async function runFiles(
  root: string,
  files: readonly string[],
  options: FileOptions,
): Promise<FileResult[]> {
  const entry = join(tmpdir(), `tests-${++groups}.mjs`);
  const head = [
    options.seed === undefined ? '' : seeded(options.seed),
    options.isSharing ? sharingServices(root) : '',
  ];
  await writeFile(entry, head.join('') + groupModule(root, files));
  const milliseconds = options.limit * Math.ceil(files.length / FILES_PER_LIMIT);
  const limit = AbortSignal.timeout(milliseconds);
  const stream = run({
    cwd: root,
    files: [entry],
    concurrency: 1,
    // A test may take half of the process's limit, so that a test that hangs is reported by name. The process's limit
    // applies if something else then keeps the process alive.
    timeout: options.limit / 2,
    signal: AbortSignal.any([limit, options.signal]),
    ...(options.grep && { testNamePatterns: options.grep }),
  });
  const record = new Recorder(entry, files);
  stream.on('test:start', record.start);
  stream.on('test:pass', record.pass);
  stream.on('test:fail', record.fail);
  stream.on('test:diagnostic', record.diagnostic);
  stream.on('test:stdout', record.write);
  stream.on('test:stderr', record.write);
  await new Promise((resolve) => stream.on('end', resolve).resume());
  if (limit.aborted)
    record.add(`not done within ${milliseconds / 1000} s; what keeps its process from ending?`);
  return record.results({ mayBeEmpty: options.grep !== undefined });
}
