// biome-ignore-all lint/style/useNodejsImportProtocol: require() knows it from Node.js 14.18 on only
'use strict';
/*
 * Installs the dependencies of a clone when they are missing or older than package-lock.json. Read by any Node.js
 * from 12 on, before anything is installed.
 */
const childProcess = require('child_process');
const fs = require('fs');
const path = require('path');

const HEARTBEAT_MS = 1000;
/* A holder that has not touched its lock for so long was killed. */
const LOCK_DIES_AFTER_MS = 10000;
const POLL_MS = 200;
const TOLD_LINES = 20;

/**
 * Returns undefined if everything is installed, otherwise a promise of the installation, which rejects with one
 * sentence.
 */
function ensure(root) {
  return isInstalled(root) ? undefined : install(root);
}

/*
 * npm keeps a copy of the lock file inside node_modules, written last; what it lists is what is installed. Optional
 * packages for other platforms are absent from it.
 */
function isInstalled(root) {
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  const present = packagesOf(path.join(root, 'node_modules', '.package-lock.json'));
  return Object.keys(wanted).every((place) => place === '' || isSame(wanted[place], present[place]));
}

function packagesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages || {};
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${error.message}`);
  }
}

function isSame(wanted, present) {
  if (!present) return wanted.optional === true || wanted.devOptional === true;
  return wanted.version === present.version && wanted.integrity === present.integrity;
}

async function install(root) {
  refuseLink(path.join(root, 'node_modules'));
  const release = await lock(path.join(root, '.install-lock'), () => isInstalled(root));
  if (!release) return;
  try {
    await runNpm(root);
  } finally {
    release();
  }
}

/* npm would empty the folder behind the link, which others use. */
function refuseLink(modules) {
  if (!fs.existsSync(modules) || !fs.lstatSync(modules).isSymbolicLink()) return;
  const target = fs.readlinkSync(modules);
  throw new Error(
    `node_modules is a link to ${target}, which lacks what package-lock.json lists: install it there`,
  );
}

/* Resolves to a function that releases the lock, or to undefined if another process has done the work. */
async function lock(directory, isDone) {
  for (let waited = 0; ; waited += POLL_MS) {
    if (isDone()) return undefined;
    if (tryLock(directory)) break;
    if (waited === 0) say('Another start is installing the dependencies; waiting for it.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const heartbeat = setInterval(() => attempt(() => touch(directory)), HEARTBEAT_MS);
  return () => {
    clearInterval(heartbeat);
    attempt(() => fs.rmdirSync(directory));
  };
}

function touch(directory) {
  fs.utimesSync(directory, new Date(), new Date());
}

function tryLock(directory) {
  try {
    fs.mkdirSync(directory);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Error(`The dependencies cannot be installed: ${error.message}`);
    dropDead(directory);
    return false;
  }
}

function dropDead(directory) {
  attempt(() => {
    if (Date.now() - fs.statSync(directory).mtimeMs > LOCK_DIES_AFTER_MS) fs.rmdirSync(directory);
  });
}

/** Another start may release or drop a lock at any moment; a missing lock is no error. */
function attempt(work) {
  try {
    work();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/**
 * Installs development and optional dependencies whatever NODE_ENV and npm's settings say: the tests need the former,
 * an old Node.js the latter.
 */
const INCLUDED = ['--include=dev', '--include=optional'];
const ARGUMENTS = ['ci', ...INCLUDED, '--no-audit', '--no-fund', '--loglevel=error'];

function runNpm(root) {
  say('Installing the dependencies (npm ci); this happens once.');
  const begun = Date.now();
  const npm = spawnNpm(root);
  const output = [];
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => output.push(chunk));
  // npm receives Ctrl-C itself; this process waits for its end to release the lock.
  const stop = (signal) => npm.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  return new Promise((resolve, reject) => {
    npm.on('error', (error) => reject(new Error(`npm could not be started: ${error.message}`)));
    npm.on('close', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM']) process.removeListener(name, stop);
      if (code === 0) {
        say(`Installed in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
        return resolve();
      }
      say(beginning(Buffer.concat(output).toString()));
      reject(
        new Error(`The dependencies could not be installed: npm ci ended with ${signal || `code ${code}`}.`),
      );
    });
  });
}

/* npm says first what is wrong, and then at length how it is used. */
function beginning(text) {
  return text.trim().split('\n').slice(0, TOLD_LINES).join('\n');
}

/* The npm that started this process, else the one on the path. */
function spawnNpm(root) {
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] };
  const script = process.env.npm_execpath || '';
  if (!/npm-cli\.js$/.test(script)) {
    const isWindows = process.platform === 'win32';
    return childProcess.spawn('npm', ARGUMENTS, { ...options, shell: isWindows });
  }
  // Not process.execPath: that may be the binary below node_modules, which npm ci removes.
  return childProcess.spawn(
    process.env.npm_node_execpath || process.execPath,
    [script, ...ARGUMENTS],
    options,
  );
}

function say(text) {
  if (text) fs.writeSync(2, `${text}\n`);
}

module.exports = { ensure, isInstalled };
