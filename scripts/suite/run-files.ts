import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { groupModule, seeded, sharingServices } from './groups.ts';
import { type FileResult, Recorder } from './recorder.ts';

export interface FileOptions {
  /** Runs only tests whose name matches. */
  readonly grep: RegExp | undefined;
  /** How long a process may run without an event of a test, in milliseconds. A test may take half of this time. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** The seed of the property tests; undefined if these files contain none. */
  readonly seed: number | undefined;
  /** Whether the files share a service. */
  readonly isSharing: boolean;
}

/**
 * The part of the limit that a process has to end after its last file. Then it only stops the services that its files
 * have shared.
 */
const END_SHARE = 1 / 4;

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
  const record = new Recorder(entry, files);
  using silence = new Silence();
  const stream = run({
    cwd: root,
    files: [entry],
    concurrency: 1,
    // A test may take half of the process's limit, so that a test that hangs is reported by name. The process's limit
    // applies if something else then keeps the process alive.
    timeout: options.limit / 2,
    signal: AbortSignal.any([silence.signal, options.signal]),
    ...(options.grep && { testNamePatterns: options.grep }),
  });
  stream.on('test:start', record.start);
  stream.on('test:pass', record.pass);
  stream.on('test:fail', record.fail);
  stream.on('test:diagnostic', record.diagnostic);
  stream.on('test:stdout', record.write);
  stream.on('test:stderr', record.write);
  const limit = () => options.limit * (record.isComplete ? END_SHARE : 1);
  silence.begin(limit());
  stream.on('data', () => silence.begin(limit()));
  await new Promise((resolve) => stream.on('end', resolve));
  if (silence.signal.aborted)
    record.add(`nothing happened for ${limit() / 1000} s; what keeps its process from ending?`);
  return record.results({ mayBeEmpty: options.grep !== undefined });
}

/** Aborts a signal when nothing has happened for some time. */
class Silence implements Disposable {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins to wait again, for so many milliseconds. */
  begin(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), milliseconds);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
