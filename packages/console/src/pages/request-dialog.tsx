import {
  CodeBlock,
  CodeBlockCode,
  Modal,
  ModalBody,
  ModalHeader,
  Spinner,
  Stack,
  StackItem,
  Title,
} from '@patternfly/react-core';
import { type InspectedExchange, useOperatorDocument } from '../api/resources.ts';
import { Copied } from '../parts/copied.tsx';
import { Problem } from '../parts/problem.tsx';

interface RequestDialogProps {
  readonly requestId: string;
  readonly onClose: () => void;
}

/** A request and its response. The service has masked the secrets in them. */
export function RequestDialog({ requestId, onClose }: RequestDialogProps) {
  const { data, error } = useOperatorDocument<InspectedExchange>(
    `/requests/${encodeURIComponent(requestId)}`,
  );
  const title = data === undefined ? 'Request' : `${data.method} ${data.path}`;
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby="request-title">
      <ModalHeader title={title} labelId="request-title" />
      <ModalBody tabIndex={0} aria-label="Request and response">
        <Problem error={error} />
        {data === undefined ? (
          !error && <Spinner aria-label="Reading the request" />
        ) : (
          <Exchange exchange={data} />
        )}
      </ModalBody>
    </Modal>
  );
}

function Exchange({ exchange }: { readonly exchange: InspectedExchange }) {
  const { request, response, status, errorCode, milliseconds, requestId, curl } = exchange;
  return (
    <Stack hasGutter>
      <StackItem>
        {`${status} ${errorCode ?? ''} in ${milliseconds.toFixed(1)} ms, request id ${requestId}`}
      </StackItem>
      <StackItem>
        <Copied label="curl command" text={curl} />
      </StackItem>
      <Part title="Request headers" text={headersOf(request.headers)} />
      <Part title="Request body" text={request.body} />
      <Part title="Response headers" text={headersOf(response.headers)} />
      <Part title="Response body" text={response.body} />
    </Stack>
  );
}

function Part({
  title,
  text = 'not recorded',
}: {
  readonly title: string;
  readonly text: string | undefined;
}) {
  return (
    <StackItem>
      <Title headingLevel="h2" size="md">
        {title}
      </Title>
      <CodeBlock>
        <CodeBlockCode>{text}</CodeBlockCode>
      </CodeBlock>
    </StackItem>
  );
}

function headersOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
