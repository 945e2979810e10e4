import { defaultKeymap, history, historyKeymap, insertNewlineAndIndent } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, type KeyBinding, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { Echoes } from './echoes.ts';

interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The height of an empty field in lines. */
  readonly rows: number;
}

/**
 * An editor for JSON with syntax colors. As in any field, the key Tab moves to the next field, and Enter sends the form
 * if the field has one line. Shift+Enter begins a line.
 */
export function JsonEditor({ label, value, onChange, rows }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(onChange);
  latest.current = onChange;
  const first = useRef(value);
  const echoes = useRef(new Echoes());
  useEffect(() => {
    if (host.current === null) return;
    const created = open(host.current, {
      label,
      rows,
      doc: first.current,
      onChange: (text) => {
        echoes.current.report(text);
        latest.current(text);
      },
    });
    view.current = created;
    return () => created.destroy();
  }, [label, rows]);
  useEffect(() => {
    first.current = value;
    if (echoes.current.isEcho(value)) return;
    const shown = view.current;
    const length = shown?.state.doc.length ?? 0;
    if (shown && shown.state.doc.toString() !== value)
      shown.dispatch({ changes: { from: 0, to: length, insert: value } });
  }, [value]);
  return <div ref={host} className="editor" />;
}

interface Opening {
  readonly label: string;
  readonly rows: number;
  readonly doc: string;
  readonly onChange: (text: string) => void;
}

function open(host: HTMLElement, { label, rows, doc, onChange }: Opening): EditorView {
  // The content security policy forbids style elements, which the editor would insert into the document. In a shadow
  // root, the editor uses style sheet objects instead, which the policy allows.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const extensions = [
    history(),
    keymap.of([...(rows === 1 ? [sending(host)] : []), ...defaultKeymap, ...historyKeymap]),
    bracketMatching(),
    json(),
    syntaxHighlighting(colors),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
    theme,
    EditorView.theme({ '.cm-content': { minHeight: `${rows * LINE_HEIGHT}em` } }),
  ];
  return new EditorView({ state: EditorState.create({ doc, extensions }), parent: root, root });
}

function sending(host: HTMLElement): KeyBinding {
  const run = () => {
    const form = host.closest('form');
    form?.requestSubmit();
    return form !== null;
  };
  return { key: 'Enter', run, shift: insertNewlineAndIndent };
}

const LINE_HEIGHT = 1.5;
const token = (name: string) => `var(--pf-t--global--${name})`;

/** Uses the CSS variables of PatternFly, so that the editor follows the light and the dark color scheme. */
const theme = EditorView.theme({
  '&': {
    backgroundColor: token('background--color--control--default'),
    border: `1px solid ${token('border--color--control--default')}`,
    borderRadius: token('border--radius--small'),
    color: token('text--color--regular'),
    fontSize: token('font--size--body--sm'),
  },
  '&.cm-focused': { outline: `2px solid ${token('border--color--clicked')}` },
  '.cm-scroller': { fontFamily: token('font--family--mono'), lineHeight: LINE_HEIGHT },
  '.cm-content': { caretColor: token('text--color--regular') },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: token('background--color--secondary--default') },
});

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: token('text--color--link--default') },
  { tag: tags.string, color: token('text--color--status--success--default') },
  { tag: [tags.number, tags.bool, tags.null], color: token('text--color--link--visited') },
  { tag: tags.invalid, color: token('text--color--status--danger--default') },
]);
