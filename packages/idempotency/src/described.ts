// Adds the header to what routes say about themselves in documents of the API.

import type { DescribedOperation, DescribedParameter, DescribeOperation, SchemaTools } from '@plinth/server/transport'

const header: DescribedParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A text of the client: a second request with it is given the answer of the first one',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** The same description, with the header and what is answered because of it. */
export function withKey(describe: DescribeOperation): DescribeOperation {
  return (tools: SchemaTools): DescribedOperation => {
    const operation = describe(tools)
    const schema = tools.error
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), header],
      answers: {
        ...operation.answers,
        409: { description: 'The first request with the key has not ended', schema },
        422: { description: 'The key was sent before with another request', schema },
      },
    }
  }
}
