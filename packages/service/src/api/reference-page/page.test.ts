import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { faultRulesOf, openApiDocument } from '../documents/index.ts';
import { completed } from '../documents/steps.ts';
import { exampleInput } from '../documents/testing.ts';
import { pageSteps, referencePagePolicy } from './index.ts';

const edition = { name: '2025-03-12', date: '2025-03-12', legacy: false } as const;
const page = pageSteps({
  document: openApiDocument(edition, exampleInput),
  editions: ['2025-03-12', 'v1.0'],
  faults: faultRulesOf(exampleInput.faults),
});
const { body, contentType } = completed(page);

/** Elements without content. */
const empty = new Set(['meta', 'input']);

function unbalanced(text: string): string[] {
  const open: string[] = [];
  const elements = text.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '');
  for (const [, close, name = ''] of elements.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (empty.has(name)) continue;
    if (close === '') open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return open;
}

describe('reference page', () => {
  it('is one HTML page with every element closed and every id given once', () => {
    assert.equal(contentType, 'text/html; charset=utf-8');
    assert.deepEqual(unbalanced(body), []);
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
  });

  it('shows each operation with its path, roles, parameters, reply and example', () => {
    const start = body.indexOf('<article id="op-listShips"');
    const article = body.slice(start, body.indexOf('</article>', start));
    for (const expected of [
      '/api/service/v2/groups/{groupId}/ships',
      'Requires the role Project Read Only.',
      'Rate limited.',
      'versions 2023-01-01, 2025-03-12',
      '<code>itemsPerPage</code>',
      'One of <code>sail</code>, <code>steam</code>.',
      '<a href="#schema-Ship">Ship</a>',
      '<a href="#status-404">404</a>',
    ]) {
      assert.ok(article.includes(expected), `${expected} is missing in ${article}`);
    }
  });

  it('describes shared parameters once', () => {
    assert.equal(body.split('1 to 500. Default <code>100</code>.').length, 2);
  });

  it('escapes text of schemas', () => {
    assert.ok(body.includes('When it was &lt;built&gt; &amp; launched.'));
    assert.ok(!body.includes('<built>'));
  });

  it('has links only to its own anchors and the documents', () => {
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    const missing = targets.filter((id) => !body.includes(` id="${id}"`));
    assert.deepEqual(missing, []);
    assert.ok(body.includes('href="/api/service/openapi/v1.0.json"'));
  });

  it('loads nothing, and its policy allows only its own style and script', () => {
    assert.doesNotMatch(body, /\b(src|action)=|@import|url\(|<link|<img/);
    assert.ok(referencePagePolicy.startsWith("default-src 'none'"));
    for (const [, tag = '', source = ''] of body.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)) {
      const hash = createHash('sha256').update(source).digest('base64');
      assert.ok(referencePagePolicy.includes(`${tag}-src 'sha256-${hash}'`), tag);
    }
  });
});
