// Adds the routes of files to the server, each with the action that its callers need (B-11).

import { type Context, type Operation, ValidationError } from '@plinth/kernel'
import { queryOf } from '@plinth/rest'
import { contextOf, type DescribeOperation, idOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { UploadTools } from '../tools.ts'
import { fileActions, folderUid } from '../types.ts'
import { describeFile, describeFiles, describeRemoval, describeUpload } from './described.ts'
import { describeFolders } from './described-folders.ts'
import { createFolder, findFolder, findFolders, moveAll, removeFolder, updateFolder } from './folders.ts'
import { findFile, findFiles, removeFile, upload } from './uploads.ts'

/** The action of a route, and its description for documents. */
interface Described {
  readonly action: string
  readonly operation: DescribeOperation
}

type Handler = (request: FastifyRequest, context: Context) => Promise<unknown>

/** The maximum number of entries and bytes of one answer, as the REST API has them by default. */
const answerLimits = { maxEntries: 100_000, maxBytes: 50 * 1024 * 1024 }

const multipart = 'multipart/form-data'

/** Adds all routes below `prefix`, such as `/api`. */
export async function mountRoutes(app: FastifyInstance, tools: UploadTools, prefix: string): Promise<void> {
  // In a scope of its own: the body of an upload is read by its handler, after the caller was authorized.
  await app.register(async scope => {
    if (scope.hasContentTypeParser(multipart)) scope.removeContentTypeParser(multipart)
    scope.addContentTypeParser(multipart, (_request, _body, done) => done(null, undefined))
    addRoutes(scope, tools, `${prefix}/upload`)
  })
}

function addRoutes(app: FastifyInstance, tools: UploadTools, path: string): void {
  const add: AddRoute = (method, url, { action, operation }, work) =>
    app.route({
      method,
      url,
      config: { action, operation, parsesQuery: true },
      async handler(request) {
        const context = await contextOf(request, answerLimits)
        tools.kernel.authorize(action, context)
        return work(request, context)
      },
    })
  const { find, findOne, create, delete: destroy } = fileActions
  add('GET', `${path}/files`, { action: find, operation: describeFiles }, (request, context) =>
    findFiles(tools, paramsOf(request), context),
  )
  add('GET', `${path}/files/:id`, { action: findOne, operation: describeFile }, (request, context) =>
    findFile(tools, idOf(request), paramsOf(request), context),
  )
  add('DELETE', `${path}/files/:id`, { action: destroy, operation: describeRemoval }, (request, context) =>
    removeFile(tools, idOf(request), context),
  )
  addFolders(add, tools, path)
  add('POST', path, { action: create, operation: describeUpload }, (request, context) => {
    const isForm = request.headers['content-type']?.toLowerCase().startsWith(multipart) === true
    return upload(tools, { raw: request.raw, isForm, id: paramsOf(request).id }, context)
  })
}

type AddRoute = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, described: Described, work: Handler) => void

/** Adds the routes of folders; those of v4's panel, which has them below another path. */
function addFolders(add: AddRoute, tools: UploadTools, path: string): void {
  const actionOf = (operation: Operation) => tools.kernel.actions.of(folderUid, operation)
  const { list, read, create, update, remove, move } = describeFolders
  add('GET', `${path}/folders`, { action: actionOf('find'), operation: list }, (request, context) =>
    findFolders(tools, paramsOf(request), context),
  )
  add('GET', `${path}/folders/:id`, { action: actionOf('findOne'), operation: read }, (request, context) =>
    findFolder(tools, idOf(request), paramsOf(request), context),
  )
  add('POST', `${path}/folders`, { action: actionOf('create'), operation: create }, ({ body }, context) =>
    createFolder(tools, body, context),
  )
  add('PUT', `${path}/folders/:id`, { action: actionOf('update'), operation: update }, (request, context) =>
    updateFolder(tools, { id: idOf(request), body: request.body }, context),
  )
  add('DELETE', `${path}/folders/:id`, { action: actionOf('delete'), operation: remove }, (request, context) =>
    removeFolder(tools, { id: idOf(request), params: paramsOf(request) }, context),
  )
  add('POST', `${path}/actions/bulk-move`, { action: actionOf('find'), operation: move }, ({ body }, context) =>
    moveAll(tools, body, context),
  )
}

/** The parameters of a request, read as strictly as those of content types. Throws ValidationError. */
function paramsOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const params = queryOf(request)
  if (params.id !== undefined && typeof params.id !== 'string')
    throw new ValidationError('Invalid parameter id', { path: 'id' })
  return params
}
