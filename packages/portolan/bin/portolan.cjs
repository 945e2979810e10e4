#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: require() knows it from Node.js 14.18 on only
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
