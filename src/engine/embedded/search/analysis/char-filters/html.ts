import { decodeEntity } from 'html-entities';
import type { CharFilter } from '../token.ts';
import { type Replacement, rewriting } from './rewriting.ts';

/** Elements within a line: they part no words. All others end one. */
const inline = new Set(
  `a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small span strike
  strong sub sup textarea tt u var`.split(/\s+/),
);

const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(script|style)\b(?:[^>"']|"[^"]*"|'[^']*')*>[\s\S]*?<\/\2\s*>|<\/?([a-zA-Z][\w:.-]*)(?:[^>"']|"[^"]*"|'[^']*')*>|<![^>]*>|<\?[^>]*>|&(?:#\d+|#[xX][\da-fA-F]+|[a-zA-Z]\w*);/g;

/** Takes HTML out of a text and reads its entities; tags of the ignored names stay. */
export function htmlStrip(ignoredTags: readonly string[]): CharFilter {
  const ignored = new Set(ignoredTags.map((tag) => tag.toLowerCase()));
  return rewriting(function* (text): Generator<Replacement> {
    for (const found of text.matchAll(MARKUP)) {
      const [all, data, block, tag] = found;
      const name = (block ?? tag)?.toLowerCase();
      if (name !== undefined && ignored.has(name)) continue;
      const replacement = data ?? (all.startsWith('&') ? decodeEntity(all) : gap(name));
      if (replacement !== all) yield { start: found.index, end: found.index + all.length, text: replacement };
    }
  });
}

function gap(name: string | undefined): string {
  return name === undefined || inline.has(name) ? '' : '\n';
}
