import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { INSTALL_LIMIT_MS, runProgram } from './tools.ts';

const AZURITE = 'azurite@3.35.0';
/** Below what git, the checks and the compiler pass over; kept between runs. */
const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'portolan-azurite');
const PROGRAM = join(FOLDER, 'node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');

/** The account that every Azurite has; its key is in Microsoft's documentation. */
const credentials = {
  account: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

/** A server of Azure's blob storage, of Microsoft's own making. */
export interface Azurite {
  /** Of its one account. */
  readonly url: string;
  readonly credentials: typeof credentials;
  addContainer(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one; answers why there is none on this machine where it cannot be installed. It is of 186 MB. */
export async function startAzurite(): Promise<Azurite | string> {
  const missing = await install();
  if (missing !== undefined) return missing;
  const settings = [
    '--blobHost',
    '127.0.0.1',
    '--blobPort',
    '0',
    '--inMemoryPersistence',
    '--disableTelemetry',
  ];
  const child = spawn(process.execPath, [PROGRAM, ...settings, '--skipApiVersionCheck', '--silent'], {
    cwd: FOLDER,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let said = '';
  for await (const piece of child.stdout) {
    said += piece;
    const [, address] = /successfully listens on (http:\S+)/.exec(said) ?? [];
    if (address === undefined) continue;
    const url = `${address}/${credentials.account}`;
    return {
      url,
      credentials,
      async addContainer(name) {
        const key = new StorageSharedKeyCredential(credentials.account, credentials.key);
        await new BlobServiceClient(url, key).createContainer(name);
      },
      async stop() {
        process.removeListener('exit', end);
        const gone = once(child, 'exit');
        end();
        await gone;
      },
    };
  }
  throw new Error(`azurite has ended:\n${said}`);
}

async function install(): Promise<string | undefined> {
  if ((await runProgram(process.execPath, ['--check', PROGRAM])).code === 0) return undefined;
  await mkdir(FOLDER, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { code, stderr } = await runProgram(npm, ['install', '--prefix', FOLDER, ...quiet, AZURITE], {
    cwd: FOLDER,
    limit: INSTALL_LIMIT_MS,
  });
  return code === 0 ? undefined : `${AZURITE}: ${stderr.trim().split('\n').at(-1)}`;
}
