import { FormHelperText, HelperText, HelperTextItem } from '@patternfly/react-core';

interface FieldHelpProps {
  /** What is wrong with the value, displayed instead of the help. */
  readonly problem: string | undefined;
  readonly help: string | undefined;
}

/** The line of text below a field. */
export function FieldHelp({ problem, help }: FieldHelpProps) {
  const text = problem ?? help;
  if (!text) return null;
  return (
    <FormHelperText>
      <HelperText>
        <HelperTextItem variant={problem === undefined ? 'default' : 'error'}>{text}</HelperTextItem>
      </HelperText>
    </FormHelperText>
  );
}
