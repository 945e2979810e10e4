import type { Document } from '../../api/commands.ts';

/** Values such as {"$oid": "…"} are written on one line. */
export function textOf(document: unknown): string {
  return JSON.stringify(document, null, 2).replaceAll(/\{\s*("\$\w+": "[^"\n]*")\s*\}/g, '{ $1 }');
}

/** A document as text. */
export function DocumentText({ document }: { readonly document: Document }) {
  return (
    // A long document scrolls, also by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the focus
    <pre className="code" tabIndex={0}>
      {textOf(document)}
    </pre>
  );
}

/** Documents that are only shown. */
export function Results({
  documents,
  isCut,
}: {
  readonly documents: readonly Document[];
  readonly isCut: boolean;
}) {
  if (documents.length === 0) return <p>No documents.</p>;
  return (
    <>
      {documents.map((document, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results have no identity
        <DocumentText key={index} document={document} />
      ))}
      {isCut && <p>There are more documents than are shown.</p>}
    </>
  );
}
