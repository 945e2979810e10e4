import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Int32 } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { metered, passes } from '../../bson/turns.ts';
import type { SearchIndexRow } from '../../storage/search-index-table.ts';
import { openSearchFile } from '../file/search-file.ts';
import { SearchReader } from '../file/search-reader.ts';
import { SegmentBuilder } from '../file/segment-builder.ts';
import { writeSegment } from '../file/segment-writer.ts';
import { indexDocument } from '../follow/index-document.ts';
import { planOf } from '../mapping/definition.ts';
import { compileOperator } from './compile.ts';
import { counting, countTerms } from './facet-counts.ts';
import { Hits } from './hits.ts';
import { textFields } from './paths.ts';
import { Searching } from './searching.ts';
import { Spec } from './spec.ts';

const DOCUMENTS = 1_000;
const index: SearchIndexRow = {
  id: '0'.repeat(24),
  uuid: new Uint8Array(16),
  name: 'default',
  type: 'search',
  definition: RawDocument.from({
    mappings: {
      fields: {
        t: { type: 'string' },
        k: { type: 'token' },
        n: { type: 'number' },
        g: { type: 'geo' },
      },
    },
  }),
  version: 0,
  created: 0,
};
const plan = planOf(index.type, index.definition);
const dir = mkdtempSync(join(tmpdir(), 'counted-'));
const reader = new SearchReader(dir, undefined);

before(() => {
  const file = openSearchFile(dir, undefined);
  file.run(
    `INSERT INTO generations (ix, version, definition, created, status, position) VALUES (?, 0, ?, 0, 'READY', 0)`,
    index.id,
    index.definition.toBytes(),
  );
  const builder = new SegmentBuilder();
  for (let n = 0; n < DOCUMENTS; n++) {
    const g = { type: 'Point', coordinates: [n % 90, n % 45] };
    const doc = RawDocument.from({ t: `w${n} all fox`, k: `k${n}`, n: new Int32(n), g });
    for (const _ of indexDocument(plan, builder, new Uint8Array([n >> 8, n]), doc));
  }
  for (const _ of writeSegment(file, 1, builder, []));
  file.close();
});

after(() => {
  reader.close();
  rmSync(dir, { recursive: true });
});

/** Returns the number of documents that an operator finds, and the number of steps that count towards the limit. */
function run(operator: object): { found: number; counted: number } {
  const result = reader.read(index, ({ segments }) => {
    const search = new Searching(plan, segments, () => {});
    const spend = search.spend.bind(search);
    let [found, counted] = [0, 0];
    search.spend = (steps) => {
      counted += steps;
      spend(steps);
    };
    search.limited(() => {
      const compiled = compileOperator(new Spec(RawDocument.from(operator), ''), search);
      for (const segment of segments) for (const is of compiled.hits(segment).found) found += is;
    });
    return { found, counted };
  });
  return result ?? assert.fail();
}

/** Operators, and whether each clause finds all documents or none. */
const clauses: Readonly<Record<string, readonly [operator: object, found: 'all' | 'none']>> = {
  'a range of words in a query string': [{ queryString: { defaultPath: 't', query: '[a TO z]' } }, 'all'],
  'an expression in a query string': [{ queryString: { defaultPath: 't', query: '/w[0-9]*/' } }, 'all'],
  'a fuzzy word in a query string': [{ queryString: { defaultPath: 't', query: 'foxy~2' } }, 'all'],
  'a range of strings': [{ range: { path: 'k', gte: 'a' } }, 'all'],
  'a range of numbers': [{ range: { path: 'n', gte: new Int32(0) } }, 'all'],
  'a wildcard': [{ wildcard: { path: 't', query: 'w*', allowAnalyzedField: true } }, 'all'],
  'a wildcard without results': [{ wildcard: { path: 't', query: '*x1', allowAnalyzedField: true } }, 'none'],
  'an existing field': [{ exists: { path: 't' } }, 'all'],
  'a word': [{ text: { path: 't', query: 'all' } }, 'all'],
  'a fuzzy word': [{ text: { path: 't', query: 'foxy', fuzzy: {} } }, 'all'],
  'a phrase': [{ phrase: { path: 't', query: 'all fox' } }, 'all'],
  'a span': [{ span: { term: { path: 't', query: 'fox' } } }, 'all'],
  'a near number': [{ near: { path: 'n', origin: new Int32(0), pivot: 1 } }, 'all'],
  'a near point': [{ near: { path: 'g', origin: { type: 'Point', coordinates: [0, 0] }, pivot: 1 } }, 'all'],
};

/** The number of clauses with which each operator is tested. */
const REPEATED = 10;

test('each clause counts the terms and documents that it reads towards the limit of the search', () => {
  for (const [name, [operator, found]] of Object.entries(clauses)) {
    const one = run(operator);
    assert.equal(one.found, found === 'all' ? DOCUMENTS : 0, name);
    const all = run({ compound: { should: Array(REPEATED).fill(operator) } });
    // A step stands for eight passes through a short loop over all documents.
    assert.ok(all.counted > (REPEATED * DOCUMENTS) / 8, `${name}: ${all.counted} steps`);
  }
});

test('reading a term counts more than a pass through a loop', () => {
  const { counted } = run({ queryString: { defaultPath: 't', query: '[a TO z]' } });
  assert.ok(counted > 30 * DOCUMENTS, `${counted}`);
});

test('work without a count of its own counts towards the limit of the search', () => {
  const search = new Searching(plan, [], () => {});
  const work = () => {
    for (let i = 0; i < 5_000; i++) passes(1_000_000);
  };
  assert.throws(() => search.limited(work), /the search takes more than 500000000 steps/);
  work();
});

test('work within other metered work counts for the inner one only', () => {
  const counts = [0, 0];
  const count = (at: number) => (steps: number) => {
    counts[at] = (counts[at] ?? 0) + steps;
  };
  metered(count(0), () => {
    passes(80_000);
    metered(count(1), () => passes(800_000));
    passes(80_000);
  });
  assert.ok(counts[0] !== undefined && counts[0] > 15_000 && counts[0] < 25_000, `${counts[0]}`);
  assert.ok(counts[1] !== undefined && counts[1] > 95_000, `${counts[1]}`);
});

test('a facet counts the values that it keeps and compares', () => {
  const counted = reader.read(index, ({ segments }) => {
    const search = new Searching(plan, segments, () => {});
    let [steps, bytes] = [0, 0];
    search.spend = (more) => {
      steps += more;
    };
    search.hold = (more) => {
      bytes += more;
    };
    const found = segments.map((segment) => {
      const hits = new Hits(segment.size);
      hits.found.fill(1);
      return { segment, hits };
    });
    assert.equal(countTerms('k', false, counting(found, undefined, search), search).length, DOCUMENTS);
    return { steps, bytes };
  });
  // Reading a value takes 51 steps, and each of its comparisons 8.
  assert.ok(counted !== undefined && counted.steps > 55 * DOCUMENTS, `${counted?.steps}`);
  assert.ok(counted.bytes > 40 * DOCUMENTS, `${counted.bytes}`);
});

test('the paths that a wildcard matches count towards the memory of the search', () => {
  const fields = Array.from({ length: 6_000 }, (_, at) => `text:${'x'.repeat(8_000)}${at}`);
  const bytes = reader.read(index, ({ segments }) => {
    const search = new Searching(plan, segments, () => {});
    const many = { fields: (prefix: string) => fields.map((name) => name.replace('text:', prefix)) };
    const large = new Searching(plan, [many as never], () => {});
    assert.throws(() => textFields([{ wildcard: '*' }], large), /take more than 104857600 bytes of memory/);
    return textFields([{ wildcard: '*' }], search).length;
  });
  assert.equal(bytes, 1);
});
