import { decodeEntity } from 'html-entities';
import type { CharFilter } from '../token.ts';
import { markupOf } from './markup.ts';
import { type Replacement, rewriting } from './rewriting.ts';

/** Inline elements. Unlike all others, they do not separate words. */
const inline = new Set(
  `a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small span strike
  strong sub sup textarea tt u var`.split(/\s+/),
);

/** Removes HTML markup and decodes entities. Tags with the ignored names stay in the text. */
export function htmlStrip(ignoredTags: readonly string[]): CharFilter {
  const ignored = new Set(ignoredTags.map((tag) => tag.toLowerCase()));
  return rewriting(function* (text): Generator<Replacement> {
    for (const { start, end, data, name } of markupOf(text)) {
      const tag = name?.toLowerCase();
      if (tag !== undefined && ignored.has(tag)) continue;
      const all = text.slice(start, end);
      const replacement = data ?? (all.startsWith('&') ? decodeEntity(all) : gap(tag));
      if (replacement !== all) yield { start, end, text: replacement };
    }
  });
}

function gap(name: string | undefined): string {
  return name === undefined || inline.has(name) ? '' : '\n';
}
