import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markupOf } from './markup.ts';

/** Returns the pieces of markup in a text, each with its name or content. */
const piecesOf = (text: string) =>
  [...markupOf(text)].map(({ start, end, name, data }) => [text.slice(start, end), name ?? data]);

test('comments, sections, tags, blocks, declarations and entities', () => {
  const text = `<!DOCTYPE html><p class="a > b">x<!-- <b> -->&amp;<![CDATA[1 < 2]]><script>if (a < b) "</p>"</script >y</p><br/><?php 1 ?>`;
  assert.deepEqual(piecesOf(text), [
    ['<!DOCTYPE html>', undefined],
    ['<p class="a > b">', 'p'],
    ['<!-- <b> -->', undefined],
    ['&amp;', undefined],
    ['<![CDATA[1 < 2]]>', '1 < 2'],
    ['<script>if (a < b) "</p>"</script >', 'script'],
    ['</p>', 'p'],
    ['<br/>', 'br'],
    ['<?php 1 ?>', undefined],
  ]);
});

test('unclosed markup is text', () => {
  assert.deepEqual(piecesOf('a < b & c &nothing <p class="x> y <!-- z'), []);
  assert.deepEqual(piecesOf('<!-- <b>x'), [['<!-- <b>', undefined]]);
  assert.deepEqual(piecesOf('<style>x'), [['<style>', 'style']]);
});

test('a text with only opening characters is read once', () => {
  for (const opening of ['<', '<!--', '<![CDATA[', '<script>', '<a "', '<a ', '&', '&#', '</script ']) {
    const text = opening.repeat(50_000);
    let seen = 0;
    for (const { end } of markupOf(text)) seen = end;
    assert.ok(seen <= text.length, opening);
  }
});
