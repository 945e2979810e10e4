import { ClipboardCopy } from '@patternfly/react-core';

/** A text with a button that copies it. */
export function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <ClipboardCopy isReadOnly hoverTip={`Copy ${label}`} clickTip="Copied" textAriaLabel={label}>
      {text}
    </ClipboardCopy>
  );
}
