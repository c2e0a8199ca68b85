// The work of the routes (B-11.1 to B-11.9), for callers who were authorized.

import type { IncomingMessage } from 'node:http'
import {
  ApplicationError,
  type Context,
  type Entry,
  type FindOptions,
  NotFoundError,
  ValidationError,
} from '@plinth/kernel'
import type { FileDraft } from '../files.ts'
import { type ReceivedFile, release } from '../intake.ts'
import { findTarget, linkTo } from '../linking.ts'
import { fileUid } from '../types.ts'
import type { UploadTools } from '../tools.ts'
import { whileWaiting } from '../waiting.ts'
import { infosFor } from '../file-info.ts'
import { idOf } from '../id.ts'
import { readForm, type UploadForm } from './form.ts'

type Params = Readonly<Record<string, unknown>>

/** GET /upload/files: no default limit; what exceeds the limits of answers is refused (B-11.6). */
export function findFiles({ kernel }: UploadTools, params: Params, context: Context): Promise<Entry[]> {
  const { start, limit } = params
  const isPart = start !== undefined || limit !== undefined
  const page = { pagination: { start, limit: limit ?? -1, withCount: false } as never }
  const query = kernel.query(fileUid, context)
  return query.findMany({ ...pick(params, ['filters', 'sort', 'fields', 'populate', '_q']), ...(isPart && page) })
}

/** GET /upload/files/:id (B-11.7) */
export async function findFile({ kernel }: UploadTools, id: number | null, params: Params, context: Context) {
  const found = await kernel.query(fileUid, context).findOne(id ?? 0, pick(params, ['populate']))
  if (found === null) throw new NotFoundError('file.notFound')
  return found
}

/** DELETE /upload/files/:id (B-11.8). The file goes after COMMIT (removal.ts). */
export async function removeFile({ kernel }: UploadTools, id: number | null, context: Context): Promise<Entry> {
  const removed = await kernel.query(fileUid, context).delete(id ?? 0)
  if (removed === null) throw new NotFoundError('file.notFound')
  return removed
}

function pick(params: Params, names: readonly string[]): FindOptions {
  return Object.fromEntries(names.filter(name => Object.hasOwn(params, name)).map(name => [name, params[name]]))
}

/** What a request is read from. `isForm`: its body is multipart. */
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
  return whileWaiting(raw, tools.timeLimit, async signal => {
    const taken: ReceivedFile[] = []
    const receive = tools.intake.receive.bind(tools.intake)
    try {
      const form: UploadForm = isForm
        ? await readForm(raw, { taken, receive: file => receive(file, signal), signal })
        : { files: [], infos: null, place: null }
      const about = { context, signal }
      return id === undefined ? await create(tools, form, about) : await change(tools, idOf(id), form, about)
    } finally {
      for (const file of taken) await release(file)
    }
  })
}

interface About {
  readonly context: Context
  readonly signal: AbortSignal
}

async function create(tools: UploadTools, { files, infos, place }: UploadForm, about: About): Promise<Entry[]> {
  if (files.length === 0) throw new ValidationError('Files are empty')
  const said = infosFor(files.length, infos)
  const { kernel } = tools
  const target = place === null ? null : await findTarget(kernel, place, about.context)
  const drafts: FileDraft[] = []
  for (const [i, file] of files.entries())
    drafts.push({ taken: await tools.intake.look(file, about.signal), info: said[i]! })
  return tools.files.keep(drafts, about, async records => {
    if (target !== null)
      await linkTo(
        kernel,
        target,
        records.map(one => one.id),
        about.context,
      )
    return records
  })
}

async function change(tools: UploadTools, id: number | null, form: UploadForm, about: About): Promise<Entry> {
  const { files, infos } = form
  if (files.length > 1) throw new ApplicationError('Cannot replace a file with multiple ones')
  const [info] = infosFor(1, infos)
  if (id === null) throw new NotFoundError('Entity not found')
  const [file] = files
  if (file === undefined) return tools.files.describe(id, info!, about.context)
  const taken = await tools.intake.look(file, about.signal)
  return tools.files.replace(id, { taken, info: info! }, about)
}
