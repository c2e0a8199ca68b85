// Takes the files of multipart bodies that create and update entries (B-4.80), for the REST API.

import type { FileBatch, FilePart, FileTaker, FileWrite } from '@plinth/rest'
import type { FastifyRequest } from 'fastify'
import { type ReceivedFile, release } from '../intake.ts'
import type { UploadTools } from '../tools.ts'
import { UploadSignal } from '../upload-signal.ts'
import { checkPath, type Placed, putFiles } from './paths.ts'

export function entryFiles(tools: UploadTools): FileTaker {
  return { open: write => new EntryBatch(tools, write) }
}

class EntryBatch implements FileBatch {
  readonly #tools: UploadTools
  readonly #write: FileWrite
  readonly #uploadSignal: UploadSignal
  readonly #received: { readonly path: string; readonly file: ReceivedFile }[] = []

  constructor(tools: UploadTools, write: FileWrite) {
    this.#tools = tools
    this.#write = write
    const request = write.context.request as FastifyRequest | undefined
    this.#uploadSignal = new UploadSignal(request?.raw ?? null, tools.timeLimit)
  }

  async take(path: string, part: FilePart): Promise<void> {
    const { kernel, intake } = this.#tools
    checkPath(kernel.contentTypes, this.#write.type, path)
    const file = await intake.receive(part, this.#uploadSignal.signal)
    this.#received.push({ path, file })
  }

  async write<T>(data: Record<string, unknown>, write: (data: Record<string, unknown>) => Promise<T>): Promise<T> {
    if (this.#received.length === 0) return write(data)
    const { files, intake } = this.#tools
    const { signal } = this.#uploadSignal
    // Faults of the data are found before anything is stored.
    this.#filled(
      data,
      this.#received.map(({ path }) => ({ path, ids: [0] })),
    )
    const drafts = []
    for (const { file } of this.#received) drafts.push({ file: await intake.inspect(file, signal), info: {} })
    const { context } = this.#write
    return files.store(drafts, { context, signal }, records =>
      write(
        this.#filled(
          data,
          this.#received.map(({ path }, i) => ({ path, ids: [records[i]!.id] })),
        ),
      ),
    )
  }

  async close(): Promise<void> {
    this.#uploadSignal.end()
    for (const { file } of this.#received) await release(file)
  }

  /** A copy of the data with the files. The transaction may run more than once. */
  #filled(data: Record<string, unknown>, placed: readonly Placed[]): Record<string, unknown> {
    const copy = structuredClone(data)
    const { type, action } = this.#write
    const byPath = Map.groupBy(placed, one => one.path)
    for (const [path, all] of byPath) {
      const ids = all.flatMap(one => one.ids)
      putFiles(this.#tools.kernel.contentTypes, type, copy, { path, ids, isUpdate: action === 'update' })
    }
    return copy
  }
}
