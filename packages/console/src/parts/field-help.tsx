import { FormHelperText, HelperText, HelperTextItem } from '@patternfly/react-core';

interface FieldHelpProps {
  /** What is wrong with the value; shown in place of the help. */
  readonly problem: string | undefined;
  readonly help: string | undefined;
}

/** The line below a field. */
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
