// The work of the routes (B-11.1 to B-11.9), for callers who were authorized.

import type { IncomingMessage } from 'node:http'
import {
  ApplicationError,
  type Context,
  type Entry,
  type FindOptions,
  NotFoundError,
  parseId,
  ValidationError,
} from '@plinth/kernel'
import { infosFor } from '../file-info.ts'
import type { FileDraft } from '../files.ts'
import { folderParameter } from '../folders/parameter.ts'
import { type ReceivedFile, release } from '../intake.ts'
import { findTarget, linkTo } from '../linking.ts'
import type { UploadTools } from '../tools.ts'
import { fileUid } from '../types.ts'
import { withUploadSignal } from '../upload-signal.ts'
import { readForm, type UploadForm } from './form.ts'

type Params = Readonly<Record<string, unknown>>

/** GET /upload/files: no default limit; what exceeds the limits of answers is refused (B-11.6). */
export function findFiles({ kernel }: UploadTools, params: Params, context: Context): Promise<Entry[]> {
  const { start, limit, folder } = params
  const isPart = start !== undefined || limit !== undefined
  const page = { pagination: { start, limit: limit ?? -1, withCount: false } as never }
  const inFolder = folder === undefined ? {} : { [folderParameter]: folder }
  const query = kernel.query(fileUid, context)
  return query.findMany({
    ...pick(params, ['filters', 'sort', 'fields', 'populate', '_q']),
    ...(isPart && page),
    ...inFolder,
  })
}

/** GET /upload/files/:id (B-11.7) */
export async function findFile({ kernel }: UploadTools, id: number | null, params: Params, context: Context) {
  const file = await kernel.query(fileUid, context).findOne(id ?? 0, pick(params, ['populate']))
  if (file === null) throw new NotFoundError('file.notFound')
  return file
}

/** DELETE /upload/files/:id (B-11.8). The journal removes the file after COMMIT (journal.ts). */
export async function removeFile({ kernel }: UploadTools, id: number | null, context: Context): Promise<Entry> {
  const removed = await kernel.query(fileUid, context).delete(id ?? 0)
  if (removed === null) throw new NotFoundError('file.notFound')
  return removed
}

function pick(params: Params, names: readonly string[]): FindOptions {
  return Object.fromEntries(names.filter(name => Object.hasOwn(params, name)).map(name => [name, params[name]]))
}

/** The parts of a request that are read. `isForm`: its body is multipart. */
export interface UploadRequest {
  readonly raw: IncomingMessage
  readonly isForm: boolean
  /** The parameter `id`, if there is one. */
  readonly id: unknown
}

/** POST /upload: stores files, or changes the file with the parameter `id`. */
export async function upload(
  tools: UploadTools,
  { raw, isForm, id }: UploadRequest,
  context: Context,
): Promise<Entry | Entry[]> {
  return withUploadSignal(raw, tools.timeLimit, async signal => {
    const files: ReceivedFile[] = []
    const receive = tools.intake.receive.bind(tools.intake)
    try {
      const form: UploadForm = isForm
        ? await readForm(raw, { files, receive: file => receive(file, signal), signal })
        : { files: [], infos: null, place: null }
      const scope = { context, signal }
      return id === undefined ? await create(tools, form, scope) : await change(tools, parseId(id), form, scope)
    } finally {
      for (const file of files) await release(file)
    }
  })
}

interface UploadScope {
  readonly context: Context
  readonly signal: AbortSignal
}

async function create(tools: UploadTools, { files, infos, place }: UploadForm, scope: UploadScope): Promise<Entry[]> {
  if (files.length === 0) throw new ValidationError('Files are empty')
  const fileInfos = infosFor(files.length, infos)
  const { kernel } = tools
  const target = place === null ? null : await findTarget(kernel, place, scope.context)
  const drafts: FileDraft[] = []
  for (const [i, file] of files.entries())
    drafts.push({ file: await tools.intake.inspect(file, scope.signal), info: fileInfos[i]! })
  return tools.files.store(drafts, scope, async records => {
    if (target !== null)
      await linkTo(
        kernel,
        target,
        records.map(one => one.id),
        scope.context,
      )
    return records
  })
}

async function change(tools: UploadTools, id: number | null, form: UploadForm, scope: UploadScope): Promise<Entry> {
  const { files, infos } = form
  if (files.length > 1) throw new ApplicationError('Cannot replace a file with multiple ones')
  const [info] = infosFor(1, infos)
  if (id === null) throw new NotFoundError('Entity not found')
  const [file] = files
  if (file === undefined) return tools.files.describe(id, info!, scope.context)
  const inspected = await tools.intake.inspect(file, scope.signal)
  return tools.files.replace(id, { file: inspected, info: info! }, scope)
}
