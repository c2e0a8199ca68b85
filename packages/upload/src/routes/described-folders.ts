// Describes the routes of folders for documents of the API.

import type { DescribedOperation, DescribedParameter, JsonSchema, SchemaTools } from '@plinth/server/transport'
import { fileUid, folderUid } from '../types.ts'

const tag = 'Upload - Folder'

const id: JsonSchema = { type: 'integer' }
const idOrNull: JsonSchema = { anyOf: [id, { type: 'null' }] }
const idInPath: DescribedParameter = { name: 'id', in: 'path', required: true, schema: id }

/** A folder as the routes show it: with its parent, and the numbers of folders and files in it, unless others are asked for. */
function folderOf(tools: SchemaTools): JsonSchema {
  const folder = tools.entry(folderUid, 'UploadFolder')
  const count = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } }
  const within = (of: JsonSchema): JsonSchema => ({ anyOf: [count, { type: 'array', items: of }] })
  const time = { type: 'string', format: 'date-time' }
  return tools.named('UploadFolderWithCounts', {
    type: 'object',
    required: ['id'],
    properties: {
      id,
      name: { type: 'string' },
      pathId: { type: 'integer' },
      path: { type: 'string' },
      createdAt: time,
      updatedAt: time,
      parent: { anyOf: [folder, { type: 'null' }] },
      children: within(folder),
      files: within(tools.entry(fileUid, 'UploadFile')),
    },
  })
}

const answer = (data: JsonSchema) => ({
  200: { description: 'OK', schema: { type: 'object', required: ['data'], properties: { data } } },
})

const parametersOf = (tools: SchemaTools, action: 'find' | 'findOne', names: readonly string[]) =>
  tools.parameters(folderUid, action).filter(({ name }) => names.includes(name))

function bodyOf(required: readonly string[]) {
  const properties = { name: { type: 'string', minLength: 1 }, parent: idOrNull }
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
  return { content: { 'application/json': schema } }
}

type Describe = (tools: SchemaTools) => DescribedOperation

/** The routes, by what they do. */
export const describeFolders = {
  list: tools => ({
    tag,
    summary: 'List the folders',
    parameters: parametersOf(tools, 'find', ['filters', 'sort', 'fields', 'populate', '_q']),
    answers: answer({ type: 'array', items: folderOf(tools) }),
  }),
  read: tools => ({
    tag,
    summary: 'Read one of the folders',
    parameters: [idInPath, ...parametersOf(tools, 'findOne', ['fields', 'populate'])],
    answers: answer(folderOf(tools)),
  }),
  create: tools => ({
    tag,
    summary: 'Make a folder',
    body: bodyOf(['name']),
    answers: answer(folderOf(tools)),
  }),
  update: tools => ({
    tag,
    summary: 'Rename or move a folder',
    parameters: [idInPath],
    body: bodyOf([]),
    answers: answer(folderOf(tools)),
  }),
  remove: tools => ({
    tag,
    summary: 'Delete a folder',
    parameters: [
      idInPath,
      {
        name: 'content',
        in: 'query',
        description: 'With `delete`, what is in the folder is deleted as well; without it, only an empty folder is',
        schema: { enum: ['delete'] },
      },
    ],
    answers: answer(folderOf(tools)),
  }),
  move: tools => {
    const ids: JsonSchema = { type: 'array', items: id }
    const schema = {
      type: 'object',
      required: ['destinationFolderId'],
      properties: { folderIds: ids, fileIds: ids, destinationFolderId: idOrNull },
      additionalProperties: false,
    }
    const lists = {
      folders: { type: 'array', items: folderOf(tools) },
      files: { type: 'array', items: tools.entry(fileUid, 'UploadFile') },
    }
    return {
      tag,
      summary: 'Move folders and files into a folder',
      body: { content: { 'application/json': schema } },
      answers: answer({ type: 'object', required: ['folders', 'files'], properties: lists }),
    }
  },
} satisfies Readonly<Record<string, Describe>>
