#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: require() supports the prefix node: only from Node.js 14.18 on
'use strict';
/*
 * The command `portolan-engine` of the published package. In a clone of the repository, use `npm run engine` instead.
 */
const path = require('path');

const dist = path.join(__dirname, '..', 'dist');
require('../dist/launch.cjs').runInstalled({
  name: 'The Portolan engine',
  oldest: '22.13',
  file: path.join(dist, 'command-line/main.js'),
  cache: path.join(dist, '.cache'),
});
