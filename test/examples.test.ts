import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { stagePackage } from '../scripts/build/stage.ts';
import { keptInstall } from './support/kept-install.ts';
import { PACKAGE_LIMIT_MS, project, QUIET, run } from './support/packed.ts';
import { runProgram } from './support/tools.ts';

/** The test runners, which are kept between runs, since installing them takes long. */
const RUNNERS = ['jest', 'vitest'];
const modules = join(project, 'node_modules');
const runners = join(modules, '.example-runners');

async function installRunners(): Promise<void> {
  const isThere = async () => RUNNERS.every((name) => existsSync(join(runners, 'node_modules', name)));
  const problem = await keptInstall(runners, isThere, async (fresh) => {
    // Without a manifest, npm would install to this project.
    writeFileSync(join(fresh, 'package.json'), '{}');
    const install = ['install', ...RUNNERS, ...QUIET];
    const { code, stderr } = await runProgram('npm', install, { cwd: fresh, limit: PACKAGE_LIMIT_MS });
    return code === 0 ? undefined : stderr;
  });
  assert.equal(problem, undefined);
}

suite('examples in a folder with the package', () => {
  const home = mkdtempSync(join(tmpdir(), 'examples-'));
  // The folder is in the project's `node_modules`, so that Node.js finds the dependencies. `package.test.ts` tests an
  // installed package.
  const staged = join(modules, `.examples-${process.pid}`);
  after(() => {
    for (const folder of [home, staged]) rmSync(folder, { recursive: true, force: true });
  });
  before(
    async () => {
      const installed = installRunners();
      stagePackage('portolan', join(staged, 'portolan'));
      await installed;
      const places = {
        portolan: join(staged, 'portolan'),
        mongodb: join(modules, 'mongodb'),
        ...Object.fromEntries(RUNNERS.map((name) => [name, join(runners, 'node_modules', name)])),
      };
      mkdirSync(join(home, 'node_modules'));
      writeFileSync(join(home, 'package.json'), '{}');
      for (const [name, place] of Object.entries(places))
        symlinkSync(place, join(home, 'node_modules', name), 'junction');
      cpSync(join(project, 'examples'), join(home, 'examples'), { recursive: true });
    },
    { timeout: PACKAGE_LIMIT_MS },
  );

  test('node:test', () => {
    run(join(home, 'examples/node-test'), process.execPath, '--test');
  });

  test('vitest', () => {
    const vitest = join(home, 'node_modules/vitest/vitest.mjs');
    const limits = [`--hookTimeout=${PACKAGE_LIMIT_MS}`, `--testTimeout=${PACKAGE_LIMIT_MS}`];
    run(join(home, 'examples/vitest'), process.execPath, vitest, 'run', ...limits);
  });

  test('jest', () => {
    const jest = join(home, 'node_modules/jest/bin/jest.js');
    const limit = `--testTimeout=${PACKAGE_LIMIT_MS}`;
    const folder = join(home, 'examples/jest');
    run(folder, process.execPath, jest, '--rootDir', folder, limit);
  });
});
