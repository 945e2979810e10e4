import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { keptInstall } from './kept-install.ts';
import { INSTALL_LIMIT_MS, runProgram } from './tools.ts';

const AZURITE = 'azurite@3.35.0';
/** A folder that is kept between runs, and that git, the checks and the compiler ignore. */
const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'portolan-azurite');
const PROGRAM = join(FOLDER, 'node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');

/** The default account of every Azurite. Its key is in Microsoft's documentation. */
export const azuriteCredentials = {
  account: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

/** Azurite, Microsoft's emulator of Azure Blob Storage. */
export interface Azurite {
  /** The URL and the credentials of its only account. */
  readonly url: string;
  readonly credentials: typeof azuriteCredentials;
  addContainer(name: string): Promise<void>;
  /** Returns the sorted names of the blobs in a container. */
  blobs(container: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts Azurite. Returns the reason if it cannot be installed. The installation takes 186 MB. */
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
  let output = '';
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    output += piece;
    const [, address] = /successfully listens on (http:\S+)/.exec(output) ?? [];
    if (address === undefined) continue;
    const url = `${address}/${azuriteCredentials.account}`;
    const key = new StorageSharedKeyCredential(azuriteCredentials.account, azuriteCredentials.key);
    const service = new BlobServiceClient(url, key);
    return {
      url,
      credentials: azuriteCredentials,
      async addContainer(name) {
        await service.createContainer(name);
      },
      async blobs(container) {
        const names: string[] = [];
        for await (const { name } of service.getContainerClient(container).listBlobsFlat()) names.push(name);
        return names;
      },
      async stop() {
        process.removeListener('exit', end);
        const gone = once(child, 'exit');
        end();
        await gone;
      },
    };
  }
  throw new Error(`azurite has ended:\n${output}`);
}

const isThere = async () => (await runProgram(process.execPath, ['--check', PROGRAM])).code === 0;

function install(): Promise<string | undefined> {
  return keptInstall(FOLDER, isThere, async (fresh) => {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const args = ['install', '--prefix', fresh, ...quiet, AZURITE];
    const { code, stderr } = await runProgram(npm, args, { cwd: fresh, limit: INSTALL_LIMIT_MS });
    return code === 0 ? undefined : `${AZURITE}: ${stderr.trim().split('\n').at(-1)}`;
  });
}
