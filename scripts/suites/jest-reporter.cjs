'use strict';
/** Writes the results of a jest run as a JUnit report. */
const fs = require('node:fs');
const path = require('node:path');
const util = require('node:util');

const escaped = { '<': '&lt;', '>': '&gt;', '"': '&quot;', '&': '&amp;' };
/* Removes the colours of terminals, and escapes a text for XML. */
const plain = (text) =>
  util.stripVTControlCharacters(text).replace(/[<>"&]/g, (character) => escaped[character]);

function testCase({ ancestorTitles, title, status, failureMessages }) {
  const head = `<testcase classname="${plain(ancestorTitles.join(' '))}" name="${plain(title)}"`;
  if (status === 'passed') return `${head}/>`;
  if (status !== 'failed') return `${head}><skipped/></testcase>`;
  return `${head}><failure message="${plain(failureMessages.join('\n'))}"></failure></testcase>`;
}

/** Returns a failed test for a file that could not be run. */
function failedFile({ testFilePath, failureMessage, testExecError }) {
  if (testExecError === undefined || testExecError === null) return [];
  return [
    testCase({
      ancestorTitles: ['file'],
      title: path.basename(testFilePath),
      status: 'failed',
      failureMessages: [failureMessage ?? ''],
    }),
  ];
}

module.exports = class Reporter {
  constructor(_, { report }) {
    this.report = report;
  }

  onRunComplete(_, { testResults }) {
    const cases = testResults.flatMap((file) => [...file.testResults.map(testCase), ...failedFile(file)]);
    fs.writeFileSync(this.report, `<testsuite>\n${cases.join('\n')}\n</testsuite>\n`);
  }
};
