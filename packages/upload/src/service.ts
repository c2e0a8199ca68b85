// Stores files for code: scripts, lifecycles and routes of an application, by `kernel.plugin('upload').service('upload')`,
// as in v4. What is checked of files of clients is checked of these, too.

import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type Context, createContext, type Entry, systemAccess, UsageError, ValidationError } from '@plinth/kernel'
import { infosFor, parseInfo } from './file-info.ts'
import type { FileDraft } from './files.ts'
import { type ReceivedFile, release, type SentFile } from './intake.ts'
import { findTarget, linkTo } from './linking.ts'
import { place } from './place.ts'
import type { FileInfo } from './record.ts'
import type { UploadTools } from './tools.ts'
import { fileActions } from './types.ts'

/** A file of code: the path of one on this machine, or its content. */
export interface OwnFile {
  /** The file name; by default that of `path`. It is required with `content`. */
  readonly name?: string
  /** The content type, where it cannot be read from the content. */
  readonly type?: string
  readonly path?: string
  readonly content?: string | Uint8Array | Readable
}

/** The files to store, in v4's form. */
export interface UploadOptions {
  readonly files: OwnFile | readonly OwnFile[]
  readonly data?: {
    /** One for all files if it is not a list. */
    readonly fileInfo?: FileInfo | readonly FileInfo[]
    /** Links the files to the media attribute `field` of an entry; all three belong together. */
    readonly ref?: string
    readonly refId?: number | string
    readonly field?: string
  }
}

/** The service `upload` of the plugin. */
export class UploadService {
  readonly #tools: UploadTools

  /** @internal */
  constructor(tools: UploadTools) {
    this.#tools = tools
  }

  /**
   * Stores files with their records, and links them if `data` says so, in one transaction. With a context, its caller needs
   * the rights that a request needs; without one, everything is allowed. Throws UsageError for a file without name or
   * content, the error of the file system for a path that cannot be read, and what an upload by a client throws.
   */
  async upload(
    { files, data = {} }: UploadOptions,
    context: Context = createContext(systemAccess),
  ): Promise<readonly Entry[]> {
    const { kernel, files: storage, timeLimit } = this.#tools
    kernel.authorize(fileActions.create, context)
    const sent = [files].flat() as OwnFile[]
    if (sent.length === 0) throw new ValidationError('Files are empty')
    const infos = infosOf(sent.length, data.fileInfo)
    const { ref, refId, field } = data
    const targetPlace = place({ ref, refId: refId === undefined ? undefined : String(refId), field })
    const target = targetPlace === null ? null : await findTarget(kernel, targetPlace, context)
    const signal = AbortSignal.timeout(timeLimit)
    const received: ReceivedFile[] = []
    try {
      for (const one of sent) received.push(await this.#receive(one, signal))
      const drafts: FileDraft[] = []
      for (const [i, file] of received.entries())
        drafts.push({ file: await this.#tools.intake.inspect(file, signal), info: infos[i]! })
      return await storage.store(drafts, { context, signal }, async records => {
        const ids = records.map(one => one.id)
        if (target !== null) await linkTo(kernel, target, ids, context)
        return records
      })
    } finally {
      for (const file of received) await release(file)
    }
  }

  async #receive(file: OwnFile, signal: AbortSignal): Promise<ReceivedFile> {
    const sent = openFile(file)
    // A stream may fail before it is read, or although its file was refused; its reader still finds the error.
    sent.stream.on('error', () => {})
    try {
      return await this.#tools.intake.receive(sent, signal)
    } finally {
      sent.stream.destroy()
    }
  }
}

function openFile({
  path,
  content,
  name = path && basename(path),
  type = 'application/octet-stream',
}: OwnFile): SentFile {
  if (name === undefined || name === '') throw new UsageError('PLINTH_UPLOAD_FILE', 'upload: a file has no `name`')
  if ((path === undefined) === (content === undefined))
    throw new UsageError('PLINTH_UPLOAD_FILE', `upload: ${name} must have either a \`path\` or a \`content\``)
  return { filename: name, mime: type, stream: path === undefined ? streamOf(content!) : createReadStream(path) }
}

function streamOf(content: string | Uint8Array | Readable): Readable {
  if (content instanceof Readable) return content
  return Readable.from([typeof content === 'string' ? Buffer.from(content) : content], { objectMode: false })
}

function infosOf(count: number, info: FileInfo | readonly FileInfo[] | undefined): readonly FileInfo[] {
  if (info === undefined) return infosFor(count, null)
  const all = Array.isArray(info) ? info : Array.from({ length: count }, () => info)
  return infosFor(count, all.map(parseInfo))
}
