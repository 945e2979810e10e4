import { run } from 'node:test';
import { type FileResult, recorder } from './recorder.ts';

export interface FileOptions {
  /** Runs only tests whose name matches. */
  readonly grep: RegExp | undefined;
  /** Milliseconds after which the whole file is ended. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Runs one test file, named relative to `root`, in a process of its own. */
export async function runFile(root: string, file: string, options: FileOptions): Promise<FileResult> {
  const begun = performance.now();
  const limit = AbortSignal.timeout(options.limit);
  const stream = run({
    cwd: root,
    files: [`${root}/${file}`],
    concurrency: 1,
    // A test that hangs is told by its name first; the file's limit is for what holds its process afterwards.
    timeout: options.limit / 2,
    signal: AbortSignal.any([limit, options.signal]),
    ...(options.grep && { testNamePatterns: options.grep }),
  });
  const record = recorder(root, file);
  stream.on('test:start', record.start);
  stream.on('test:pass', record.pass);
  stream.on('test:fail', record.fail);
  stream.on('test:stdout', record.write);
  stream.on('test:stderr', record.write);
  await new Promise((resolve) => stream.on('end', resolve).resume());
  if (limit.aborted)
    record.add(`not done within ${options.limit / 1000} s; what keeps its process from ending?`);
  return record.result({ mayBeEmpty: options.grep !== undefined, milliseconds: performance.now() - begun });
}
