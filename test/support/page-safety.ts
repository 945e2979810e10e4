import type { Page } from 'playwright-core';

/** Returns the elements of a page, also in shadow roots, that run a script or link to one. */
export async function unsafeElements(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const unsafe = [];
    const visit = (root) => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) visit(element.shadowRoot);
        const isInline = element.localName === 'script' && !element.hasAttribute('src');
        const isPlanted = element.getAttribute('src') === 'x';
        const runs = [...element.attributes].some(({ name, value }) =>
          name.startsWith('on') || /^\\s*(javascript|vbscript|data:text)/i.test(value) && /href|src|action/.test(name));
        if (isInline || isPlanted || runs) unsafe.push(element.outerHTML.slice(0, 300));
      }
    };
    visit(document);
    return unsafe;
  })()`);
}
