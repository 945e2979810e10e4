import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { type Answers, answersIn, makeSyncTrace, traceUntil } from './testing-sync-trace.ts';

const dir = mkdtempSync(join(tmpdir(), 'sync-'));
const library = process.platform === 'linux' ? makeSyncTrace(dir) : undefined;
after(() => rmSync(dir, { recursive: true }));

async function answersOf(t: TestContext, name: string): Promise<Answers | undefined> {
  const trace = await traceOf(t, name);
  return trace === undefined ? undefined : answersIn(trace);
}

async function traceOf(t: TestContext, name: string): Promise<string | undefined> {
  if (library === undefined) {
    t.diagnostic('not tested: syncing of writes, which needs Linux and a C compiler (cc)');
    return undefined;
  }
  const program = join(import.meta.dirname, name);
  const data = mkdtempSync(join(dir, 'data-'));
  return traceUntil(200, { library, dir, program, args: [data] });
}

describe('the reply to a write', () => {
  it('is sent when the write-ahead log has been synced', async (t) => {
    const answers = await answersOf(t, 'testing-writer.ts');
    if (answers === undefined) return;
    assert.ok(answers.count >= 200);
    assert.equal(answers.early, 0);
  });

  it('would be detected if it were sent too early', async (t) => {
    const answers = await answersOf(t, 'testing-unsynced.ts');
    if (answers === undefined) return;
    assert.ok(answers.count >= 200);
    assert.equal(answers.early, answers.count);
  });
});

it('a new cluster syncs its file rarely, because its query thread serves no other cluster meanwhile', async (t) => {
  const trace = await traceOf(t, 'testing-writer.ts');
  if (trace === undefined) return;
  const [before = ''] = trace.split('a', 1);
  // The header of the log, the oplog, the configuration, the version, and the first insert. There are ten migrations.
  assert.ok(before.replaceAll('w', '').length <= 6, before);
});
