import { FormGroup } from '@patternfly/react-core';
import { parseInOrder } from '@portolan/foundation/ordered-json';
import { FieldHelp } from './field-help.tsx';
import { later } from './later.tsx';

const JsonEditor = later(async () => (await import('./json-editor.tsx')).JsonEditor);

interface JsonFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly help?: string;
  readonly isRequired?: boolean;
}

/** A field for Extended JSON. It displays what is wrong with its text. */
export function JsonField({
  id,
  label,
  value,
  onChange,
  rows = 1,
  help,
  isRequired = false,
}: JsonFieldProps) {
  const problem = problemOf(value);
  return (
    <FormGroup role="group" label={label} fieldId={id} isRequired={isRequired}>
      <JsonEditor label={label} value={value} onChange={onChange} rows={rows} />
      <FieldHelp problem={problem} help={help} />
    </FormGroup>
  );
}

/** Returns why a text is not a JSON document. Undefined if it is one, or is empty. */
function problemOf(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? undefined
      : 'Not a document, such as {"name": "Riga"}';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the document in a field. Undefined if the field is empty or contains none. */
export function documentIn<T = Readonly<Record<string, unknown>>>(text: string): T | undefined {
  return text.trim() === '' || problemOf(text) !== undefined ? undefined : (parseInOrder(text) as T);
}

export const isSound = (text: string): boolean => problemOf(text) === undefined;
