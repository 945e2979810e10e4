'use strict';
/* The folder of this file: CommonJS and modules have no other way in common to learn it. */
module.exports = { folder: __dirname };
