import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { logOutput } from './log-output.ts';

const OUTPUT = JSON.stringify(join(import.meta.dirname, 'log-output.ts'));
/** A redirection to a device that is always full, or, if the system has no such device, a closed file descriptor. */
const FULL = existsSync('/dev/full') ? '2>/dev/full' : '2>&-';

/** Runs a program whose standard error the shell redirects to `target`. Returns its exit code and standard output. */
async function runInto(target: string, program: string): Promise<[number | null, string]> {
  const script = `"$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1" ${target}`;
  const child = spawn('sh', ['-c', script, process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, printed];
}

test('lines that cannot be written are dropped, and the process continues and exits', async () => {
  const program = `
    import { pino } from 'pino';
    import { logOutput } from ${OUTPUT};
    const log = pino({}, logOutput());
    for (let i = 0; i < 3; i++) log.info('nobody reads this');
    console.log('done');`;
  assert.deepEqual(await runInto(FULL, program), [0, 'done\n']);
});

test('lines reach standard error complete, even with a slow reader', async () => {
  const program = `
    import { logOutput } from ${OUTPUT};
    const { write } = logOutput();
    for (let i = 0; i < 2000; i++) write('x'.repeat(99) + '\\n');`;
  const [, printed] = await runInto('2>&1 >/dev/null | (sleep 0.2; wc -c)', program);
  assert.equal(printed.trim(), '200000');
});

test('a closed output causes no error', () => {
  logOutput(1_000_000).write('to nobody\n');
});
