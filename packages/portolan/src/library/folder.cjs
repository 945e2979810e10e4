'use strict';
/* The folder of this file. CommonJS is the only way to get it in both the ESM and the CommonJS build. */
module.exports = { folder: __dirname };
