#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: require() supports the prefix node: only from Node.js 14.18 on
'use strict';
/* The command `portolan` of the built package; a clone has `npm run` instead. */
const path = require('path');

const dist = path.join(__dirname, '..', 'dist');
require('../dist/launch.cjs').runInstalled({
  name: 'Portolan',
  oldest: '24.7',
  file: path.join(dist, 'main.js'),
  cache: path.join(dist, '.cache'),
});
