// biome-ignore-all lint/style/useNodejsImportProtocol: require() supports the prefix node: only from Node.js 14.18 on
'use strict';
/**
 * Runs a file of the project under Node.js. Every version of Node.js since 12 must be able to parse this file.
 * Otherwise, an old version would report a syntax error instead of the required version. This file requires only
 * built-in modules.
 */
const childProcess = require('child_process');
const fs = require('fs');

const FLAGS = ['--disable-warning=ExperimentalWarning'];

/**
 * Settings for malloc of the GNU C library; other systems ignore them. By default, malloc keeps freed memory in up to
 * eight arenas per processor. It also raises the size of the blocks that it keeps, each time that a block of some MB is
 * freed. After ten minutes of mixed load, an engine host kept 290 MB of freed memory. With two arenas and fixed bounds,
 * it kept 42 MB, for the same CPU time.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(256 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(1024 * 1024),
};
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/* Whether a version such as 22.13.1 is at least `oldest`, such as '22.13'. */
function isAtLeast(version, oldest) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/**
 * Returns the folder for compiled code: the value of NODE_COMPILE_CACHE if the variable is set, otherwise `folder`.
 * Cached code cuts the time to load all modules by a third. If the folder is not writable, Node.js works without cached
 * code.
 */
function compileCache(folder) {
  return process.env.NODE_COMPILE_CACHE || folder;
}

/* Runs `file` with the Node.js binary `node`; compiled code is cached in the folder `cache`. */
function run({ node, file, args, cache }) {
  process.env.NODE_COMPILE_CACHE = compileCache(cache);
  Object.assign(process.env, Object.assign({}, ALLOCATOR, process.env));
  const all = FLAGS.concat(file, args);
  if (node === process.execPath && process.execve && process.platform !== 'win32') replaceProcess(node, all);
  else spawnChild(node, all);
}

/**
 * Replaces this process by the program. Signals, exit code and terminal then belong to the program, and no second
 * process takes 40 MB of memory. Used only if `node` is the binary that is already running: if the system could not
 * start another binary, this process would abort without an error message.
 */
function replaceProcess(node, args) {
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

/*
 * Forwards a signal to the child, except SIGINT in a terminal: Ctrl-C in a terminal sends SIGINT to the child, too.
 */
function forward(child, signal) {
  if (signal === 'SIGINT' && require('tty').isatty(0)) return;
  child.kill(signal);
}

function fail(sentence) {
  fs.writeSync(2, `${sentence}\n`);
  process.exit(1);
}

/**
 * Runs the command of an installed package. If Node.js is too old, prints one line with the required version instead.
 */
function runInstalled({ name, oldest, file, cache }) {
  const version = process.versions.node;
  if (!isAtLeast(version, oldest)) fail(`${name} needs Node.js ${oldest} or newer; this is ${version}.`);
  run({ node: process.execPath, file, args: process.argv.slice(2), cache });
}

module.exports = { ALLOCATOR, FLAGS, compileCache, fail, isAtLeast, run, runInstalled };
