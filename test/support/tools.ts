import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Third-party tools that are not dependencies. They are installed when a test needs them. */

const TOOLS = join(import.meta.dirname, '..', 'tools');
const INSTALLER = join(import.meta.dirname, '..', '..', 'scripts', 'install.cjs');
/** Time limit. With an empty npm cache, the installation downloads about 30 MB. */
export const INSTALL_LIMIT_MS = 600_000;
const RUN_LIMIT_MS = 600_000;

export interface Ended {
  /** The exit code; undefined if the program could not be started, or was killed. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly limit?: number;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Runs a program. Returns its output, whether or not the program succeeds. */
export function runProgram(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { cwd, limit = RUN_LIMIT_MS, environment = ownEnvironment() } = options;
  return new Promise((resolve) => {
    const settings = { cwd, env: environment, timeout: limit, maxBuffer: 2 ** 26, encoding: 'utf8' } as const;
    execFile(file, args, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const problem = typeof code === 'number' ? stderr : `${stderr}\n${error?.message}`;
      resolve({ code: typeof code === 'number' ? code : undefined, stdout, stderr: problem });
    });
  });
}

/**
 * Returns the environment without npm's own variables, which would make a nested npm use this project. The user's
 * configuration stays.
 */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(npm_(lifecycle|package|command|config_local_prefix)|NODE_TEST_CONTEXT|NODE_OPTIONS|INIT_CWD)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/**
 * Installs the packages in `test/tools/package.json`, unless they are installed. They are kept between runs. Only one
 * process installs them at a time. Throws an AssertionError with the output of the installer.
 */
export function installTools(): Promise<void> {
  return installFrom(TOOLS);
}

/** Like `installTools`, for the `package.json` in another folder. */
export async function installFrom(folder: string): Promise<void> {
  const script = 'require(process.argv[1]).ensure(process.argv[2])';
  const installing = ['-e', script, INSTALLER, folder];
  const { code, stderr } = await runProgram(process.execPath, installing, {
    cwd: folder,
    limit: INSTALL_LIMIT_MS,
  });
  assert.equal(
    code,
    0,
    `The tools in ${folder} could not be installed from the package registry:\n${stderr}`,
  );
}

/** How long mongosh searches for a server. The default is only two seconds for a server on this machine. */
const SELECTION_MS = 120_000;

/** Runs a script in mongosh, like `mongosh URI --eval SCRIPT`, with an empty home folder. */
export async function mongosh(uri: string, script: string): Promise<Ended> {
  const home = await mkdtemp(join(tmpdir(), 'mongosh-'));
  try {
    const program = join(TOOLS, 'node_modules', 'mongosh', 'bin', 'mongosh.js');
    const environment = {
      ...ownEnvironment(),
      HOME: home,
      USERPROFILE: home,
      APPDATA: home,
      LOCALAPPDATA: home,
    };
    const patient = `${uri}${uri.includes('?') ? '&' : '?'}serverSelectionTimeoutMS=${SELECTION_MS}`;
    const args = ['--no-deprecation', program, patient, '--quiet', '--norc', '--eval', script];
    return await runProgram(process.execPath, args, { environment });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Runs a script in mongosh. Returns the variable `answer` of the script, read from relaxed Extended JSON. */
export async function askMongosh(uri: string, script: string): Promise<unknown> {
  const [answer] = await askAll(uri, [script]);
  return answer?.();
}

/**
 * Runs several scripts in a single mongosh, which takes seconds to start. Starts it when a test needs the first result.
 * Call `script` while tests are being declared.
 */
export function inOneMongosh(uri: () => string): (script: string) => () => Promise<unknown> {
  const scripts: string[] = [];
  let results: Promise<Array<() => unknown>> | undefined;
  return (script) => {
    const index = scripts.push(script) - 1;
    return async () => {
      results ??= askAll(uri(), scripts);
      return (await results)[index]?.();
    };
  };
}

/** Returns, for each script, a function that returns its result or throws its error. */
async function askAll(uri: string, scripts: readonly string[]): Promise<Array<() => unknown>> {
  const parts = scripts.map(
    (script, i) => `
    use('test');
    try {
      ${script}
      print('answer ${i} ' + EJSON.stringify(answer));
    } catch (error) {
      print('failed ${i} ' + error);
    }`,
  );
  const { code, stdout, stderr } = await mongosh(uri, parts.join('\n'));
  const lines = stdout.split('\n');
  return scripts.map((_, i) => () => {
    const line = lines.find((one) => one.startsWith(`answer ${i} `));
    assert.ok(code === 0 && line !== undefined, `mongosh ended with ${code}:\n${stdout}\n${stderr}`);
    return JSON.parse(line.slice(`answer ${i} `.length));
  });
}

/** Whether a program with this name is on the path. */
export async function isOnPath(name: string): Promise<boolean> {
  const { code } = await runProgram(name, ['--version']);
  return code === 0;
}
