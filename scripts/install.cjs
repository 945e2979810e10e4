// biome-ignore-all lint/style/useNodejsImportProtocol: require() supports the prefix node: only from Node.js 14.18 on
'use strict';
/*
 * Installs the dependencies of a clone if they are missing, or older than package-lock.json. Since nothing is installed
 * yet, any Node.js from version 12 on must be able to read this file.
 */
const childProcess = require('child_process');
const fs = require('fs');
const path = require('path');

const HEARTBEAT_MS = 1000;
/*
 * A lock that its holder has not renewed for this long belongs to a killed process. A busy machine can keep the holder
 * from renewing it for many seconds, and two installations at a time would damage each other.
 */
const LOCK_DIES_AFTER_MS = 60000;
const POLL_MS = 200;
const TOLD_LINES = 20;

/**
 * Returns undefined if everything is installed. Otherwise returns a promise of the installation, which rejects with a
 * message of one sentence.
 */
function ensure(root) {
  return isInstalled(root) ? undefined : install(root);
}

/*
 * Compares package-lock.json with the list of installed packages, which npm writes to node_modules as its last file.
 * The list lacks optional packages for other platforms.
 */
function isInstalled(root) {
  const wanted = packagesOf(path.join(root, 'package-lock.json'), false);
  const present = packagesOf(path.join(root, 'node_modules', '.package-lock.json'), true);
  return Object.keys(wanted).every((place) => place === '' || isSame(wanted[place], present[place]));
}

function packagesOf(file, mayBeIncomplete) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages || {};
  } catch (error) {
    // While npm writes its list for another start, the list is incomplete. It remains so if npm is killed meanwhile.
    if (error.code === 'ENOENT' || (mayBeIncomplete && error instanceof SyntaxError)) return {};
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

/* Throws if node_modules is a link. npm would empty the folder to which the link leads, but others use this folder. */
function refuseLink(modules) {
  if (!fs.existsSync(modules) || !fs.lstatSync(modules).isSymbolicLink()) return;
  const target = fs.readlinkSync(modules);
  throw new Error(
    `node_modules is a link to ${target}, which lacks what package-lock.json lists: install it there`,
  );
}

/* Resolves with a function that releases the lock; with undefined if another process has done the work. */
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

/** Runs `work`, ignoring a missing lock: another process may release or remove it at any moment. */
function attempt(work) {
  try {
    work();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/**
 * Development and optional dependencies are always installed, whatever NODE_ENV and npm's settings say. Tests need the
 * development dependencies, and an old Node.js needs the optional ones.
 */
const INCLUDED = ['--include=dev', '--include=optional'];
const ARGUMENTS = ['ci', ...INCLUDED, '--no-audit', '--no-fund', '--loglevel=error'];

function runNpm(root) {
  say('Installing the dependencies (npm ci); this happens once.');
  const begun = Date.now();
  const npm = spawnNpm(root);
  const output = [];
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => output.push(chunk));
  // The terminal sends Ctrl-C to npm, too. This process waits until npm has ended, and then releases the lock.
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

/* The beginning of npm's output, which contains the error. Long usage information follows it. */
function beginning(text) {
  return text.trim().split('\n').slice(0, TOLD_LINES).join('\n');
}

/* Starts the npm that started this process; otherwise, the one on the path. */
function spawnNpm(root) {
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] };
  const script = process.env.npm_execpath || '';
  if (!/npm-cli\.js$/.test(script)) {
    const isWindows = process.platform === 'win32';
    return childProcess.spawn('npm', ARGUMENTS, { ...options, shell: isWindows });
  }
  // Do not use process.execPath: that may be the binary in node_modules, which `npm ci` removes.
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
