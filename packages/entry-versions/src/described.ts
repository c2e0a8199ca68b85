// Adds the headers to what routes say about themselves in documents of the API.

import type { DescribedOperation, DescribedParameter, DescribeOperation, SchemaTools } from '@plinth/server/transport'

const header = (name: string, description: string): DescribedParameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

const ifNoneMatch = header('If-None-Match', 'The ETag of an answer that the client has')
const ifMatch = header(
  'If-Match',
  'An ETag of the entry, of which the version counts: if the entry has another one, it is not written',
)

/** The same description of a read, with its condition and what is answered because of it. */
export function withTag(describe: DescribeOperation): DescribeOperation {
  return (tools: SchemaTools): DescribedOperation => {
    const operation = describe(tools)
    const same = { description: 'The answer is the one that the client has' }
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), ifNoneMatch],
      answers: withHeader(
        { ...operation.answers, 304: same },
        'ETag',
        'The version of the entry and a hash of the answer',
      ),
    }
  }
}

/** The same description of a write, with its condition and what is answered because of it. */
export function withCondition(describe: DescribeOperation): DescribeOperation {
  return (tools: SchemaTools): DescribedOperation => {
    const operation = describe(tools)
    const failed = { description: 'The entry has another version', schema: tools.error }
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), ifMatch],
      answers: withHeader(
        { ...operation.answers, 412: failed },
        'Entry-Version',
        'The version that an update with If-Match has made',
      ),
    }
  }
}

/** The same answers, of which those with the status 200 or 304 have a header. */
function withHeader(
  answers: DescribedOperation['answers'],
  name: string,
  description: string,
): DescribedOperation['answers'] {
  const headers = { [name]: { description, schema: { type: 'string' } } }
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      status === '200' || status === '304' ? { ...answer, headers: { ...answer.headers, ...headers } } : answer,
    ]),
  )
}
