import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './ports.ts';
import { pythonPackage } from './python.ts';

const emulator = pythonPackage(
  'gcp-storage-emulator',
  'gcp-storage-emulator==2026.7.19',
  'gcp_storage_emulator',
);

/** A third-party emulator of Google Cloud Storage with one bucket. */
export interface StorageEmulator {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an emulator. Returns the reason if it cannot be installed on this machine. */
export async function startStorageEmulator(bucket: string): Promise<StorageEmulator | string> {
  const missing = await emulator.install();
  if (missing !== undefined) return missing;
  // Choose the port here, since the emulator does not report the port that it chooses.
  const port = await freePort();
  const settings = [
    '-m',
    'gcp_storage_emulator',
    'start',
    '--host=127.0.0.1',
    `--port=${port}`,
    '--in-memory',
    `--default-bucket=${bucket}`,
  ];
  const child = spawn(emulator.python, settings, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let output = '';
  child.stdout.resume();
  for await (const piece of child.stderr.iterator({ destroyOnReturn: false })) {
    output += piece;
    if (!output.includes('All services started')) continue;
    child.stderr.resume();
    return {
      url: `http://127.0.0.1:${port}`,
      async stop() {
        process.removeListener('exit', end);
        const gone = once(child, 'exit');
        end();
        await gone;
      },
    };
  }
  throw new Error(`the emulator has ended:\n${output}`);
}
