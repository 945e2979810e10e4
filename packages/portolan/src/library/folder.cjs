'use strict';
/* The folder of this file. Only CommonJS provides it both in the ESM and in the CommonJS build. */
module.exports = { folder: __dirname };
