// Describes the routes of files for documents of the API, with the names of v4's documentation (B-12.4).

import type { DescribedOperation, DescribedParameter, JsonSchema, SchemaTools } from '@plinth/server/transport'
import { fileUid } from '../types.ts'

const tag = 'Upload - File'

/** The record of a file. */
const fileOf = (tools: SchemaTools) => tools.entry(fileUid, 'UploadFile')

const idInPath: DescribedParameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

/** The parameters of files, which have neither pages nor locales. */
function parametersOf(tools: SchemaTools, action: 'find' | 'findOne', names: readonly string[]) {
  return tools.parameters(fileUid, action).filter(({ name }) => names.includes(name))
}

const position = (name: string): DescribedParameter => ({
  name,
  in: 'query',
  description: name === 'start' ? 'The number of files that are left out first' : 'The number of files; all by default',
  schema: { type: 'integer' },
})

/** GET /upload/files */
export function describeFiles(tools: SchemaTools): DescribedOperation {
  return {
    tag,
    summary: 'List the files',
    description: 'The answer has no outer `data`.',
    parameters: [
      ...parametersOf(tools, 'find', ['filters', 'sort', 'fields', 'populate', '_q']),
      position('start'),
      position('limit'),
      {
        name: 'folder',
        in: 'query',
        description: 'The id of a folder whose files are listed; `root` for those in none',
        schema: { type: 'string', pattern: '^(root|[0-9]+)$' },
      },
    ],
    answers: { 200: { description: 'OK', schema: { type: 'array', items: fileOf(tools) } } },
  }
}

/** GET /upload/files/:id */
export function describeFile(tools: SchemaTools): DescribedOperation {
  return {
    tag,
    summary: 'Read one of the files',
    parameters: [idInPath, ...parametersOf(tools, 'findOne', ['populate'])],
    answers: { 200: { description: 'OK', schema: fileOf(tools) } },
  }
}

/** DELETE /upload/files/:id */
export function describeRemoval(tools: SchemaTools): DescribedOperation {
  return {
    tag,
    summary: 'Delete one of the files',
    parameters: [idInPath],
    answers: { 200: { description: 'The file as it was', schema: fileOf(tools) } },
  }
}

/** POST /upload */
export function describeUpload(tools: SchemaTools): DescribedOperation {
  const info = { type: 'string', contentMediaType: 'application/json' }
  const link = (description: string): JsonSchema => ({ type: 'string', description })
  const form = {
    type: 'object',
    properties: {
      files: {
        type: 'array',
        items: { type: 'string', contentMediaType: 'application/octet-stream' },
      },
      fileInfo: {
        anyOf: [info, { type: 'array', items: info }],
        description: '`name`, `alternativeText`, `caption` and `folder` of each file, as JSON',
      },
      ref: link('The type of the entry that the files are linked to: `api::article.article`'),
      refId: link('The id of the entry'),
      field: link('Its attribute'),
    },
  }
  const file = fileOf(tools)
  return {
    tag,
    summary: 'Store files, or change one',
    description: 'With the parameter `id` the file with this id is changed, and the answer is this file.',
    parameters: [{ name: 'id', in: 'query', schema: { type: 'integer' } }],
    body: { content: { 'multipart/form-data': form } },
    answers: { 200: { description: 'OK', schema: { anyOf: [{ type: 'array', items: file }, file] } } },
  }
}

/** GET /uploads/… */
export function describeServing(): DescribedOperation {
  return {
    tag,
    summary: 'The content of a file',
    description: 'Its path is the `url` of the file.',
    parameters: [
      { name: 'range', in: 'header', description: 'The bytes that are asked for', schema: { type: 'string' } },
    ],
    answers: {
      200: { description: 'The content', schema: {}, mediaType: '*/*' },
      206: { description: 'A part of the content', schema: {}, mediaType: '*/*' },
      416: { description: 'The content has no such part' },
    },
  }
}
