import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './compare.ts';
import { readGoReport } from './go-report.ts';
import { readReport } from './report.ts';

const xml = `<?xml version="1.0"?><testsuite name="x">
<testcase classname="test.T" name="test_one" time="0.1"/>
<testcase name="&quot;quoted&quot; &lt;two&gt;" classname="A b" time="0"><failure>at &#x41;
line 2</failure></testcase>
<testcase classname="test.T" name="three" time="0"><error message="set-up &amp; all">trace</error></testcase>
<testcase classname="test.T" name="four" time="0"><skipped type="pytest.skip" message="no"/></testcase>
<testcase classname="test.T" name="five" time="0"><system-out>said</system-out></testcase>
<testcase classname="test.T" name="five" time="0"><failure message="again"/></testcase>
</testsuite>`;

test('a report contains the result of each test', () => {
  assert.deepEqual(readReport(xml), [
    { test: 'test.T › test_one', result: 'passed' },
    { test: 'A b › "quoted" <two>', result: 'failed', message: 'at A\nline 2' },
    { test: 'test.T › three', result: 'failed', message: 'set-up & all' },
    { test: 'test.T › four', result: 'skipped' },
    { test: 'test.T › five', result: 'failed', message: 'again' },
  ]);
});

test('known failures are separated from unexpected and outdated ones', () => {
  const reason = 'why';
  const { passed, skipped, unexpected, expected, outdated } = compare(readReport(xml), [
    { test: 'test.T › three', reason },
    { test: 'test.T › test_one', reason },
    { test: 'test.T › test_one', reason, sometimes: true },
    { test: 'A * › *two>', reason },
  ]);
  assert.deepEqual([passed, skipped], [1, 1]);
  const names = (all: readonly { readonly test: string }[]) => all.map((one) => one.test);
  assert.deepEqual(names(unexpected), ['test.T › five']);
  assert.deepEqual(names(expected), ['A b › "quoted" <two>', 'test.T › three']);
  assert.deepEqual(outdated, [{ test: 'test.T › test_one', reason }]);
});

test('a Go report counts tests without subtests, and tests and packages that fail by themselves', () => {
  const events = [
    { Action: 'run', Package: 'p/a', Test: 'TestOne' },
    { Action: 'pass', Package: 'p/a', Test: 'TestOne/inner' },
    { Action: 'output', Package: 'p/a', Test: 'TestOne/other', Output: '=== RUN   TestOne/other\n' },
    { Action: 'output', Package: 'p/a', Test: 'TestOne/other', Output: '    a_test.go:7: not equal\n' },
    { Action: 'fail', Package: 'p/a', Test: 'TestOne/other' },
    { Action: 'fail', Package: 'p/a', Test: 'TestOne' },
    { Action: 'skip', Package: 'p/a', Test: 'TestTwo' },
    { Action: 'fail', Package: 'p/a' },
    { Action: 'output', Package: 'p/b', Output: 'panic: early\n' },
    { Action: 'fail', Package: 'p/b' },
    { Action: 'pass', Package: 'p/c' },
  ];
  const report = ['not JSON', ...events.map((event) => JSON.stringify(event))].join('\n');
  assert.deepEqual(readGoReport(report), [
    { test: 'p/a › TestOne/inner', result: 'passed' },
    { test: 'p/a › TestOne/other', result: 'failed', message: 'a_test.go:7: not equal' },
    { test: 'p/a › TestTwo', result: 'skipped' },
    { test: 'p/b › (the whole package)', result: 'failed', message: 'panic: early' },
  ]);
});
