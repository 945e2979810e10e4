import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { html, prose } from './html.ts';

describe('html', () => {
  it('escapes whatever is inserted, in text and in attributes', () => {
    const hostile = `<img src=x onerror="alert('1')">&`;
    assert.equal(
      html`<a title="${hostile}">${hostile}</a>`.text,
      '<a title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;">' +
        '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</a>',
    );
  });

  it('keeps markup, joins lists and omits undefined', () => {
    assert.equal(
      html`<ul>${[html`<li>1</li>`, ['<', false, undefined], 0]}</ul>`.text,
      '<ul><li>1</li>&lt;0</ul>',
    );
  });

  it('turns backticks into code', () => {
    assert.equal(prose('a `<b>` c').text, 'a <code>&lt;b&gt;</code> c');
    assert.equal(prose(undefined).text, '');
  });
});
