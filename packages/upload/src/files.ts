// Stores, replaces and removes files together with their records: one is never there without the other for longer than the
// journal knows (journal.ts). Knows no transport.

import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  type Context,
  type Entry,
  type Kernel,
  NotFoundError,
  type Params,
  type Transaction,
  UnavailableError,
  UsageError,
  withRights,
} from '@plinth/kernel'
import { checkLinked } from './entries/allowed.ts'
import type { FileWork, Move } from './file-work.ts'
import { FolderTree, rootPath } from './folders/tree.ts'
import type { InspectedFile } from './intake.ts'
import { type Attempt, Journal, type NotedChange } from './journal.ts'
import type { UploadProvider } from './provider.ts'
import { contentRecord, type FileInfo, keysOf, namesOf, type PlannedFile, plannedFiles } from './record.ts'
import { LocalProvider } from './storage/local.ts'
import { fileActions, fileUid, folderUid } from './types.ts'

/** A file that was inspected, and what the caller says about it. */
export interface FileDraft {
  readonly file: InspectedFile
  readonly info: FileInfo
}

/** A provider and the name that records have of it. */
export interface NamedProvider {
  readonly name: string
  readonly provider: UploadProvider
}

export class Files {
  readonly #kernel: Kernel
  readonly #current: NamedProvider
  /** The providers by their names: that of the settings, and the local one, which may have older files. */
  readonly #providers: ReadonlyMap<string, UploadProvider>
  readonly journal: Journal
  readonly #tree: FolderTree
  /** The contexts in which this plugin writes records. */
  readonly #ownContexts = new WeakSet<Context>()

  constructor(kernel: Kernel, current: NamedProvider, others: readonly NamedProvider[]) {
    this.#kernel = kernel
    this.#current = current
    this.#providers = new Map([...others, current].map(one => [one.name, one.provider]))
    this.#tree = new FolderTree(kernel)
    this.journal = new Journal(kernel, (work, attempt) => this.#do(work, attempt))
  }

  /** The provider that new files go to. */
  get current(): NamedProvider {
    return this.#current
  }

  /** The provider of that name, as records have it; undefined if it is not enabled. */
  providerOf(name: unknown): UploadProvider | undefined {
    return this.#providers.get(String(name))
  }

  /** The provider of that name. Throws UsageError if it is not enabled. */
  requireProvider(name: unknown): UploadProvider {
    const provider = this.providerOf(name)
    if (provider !== undefined) return provider
    throw new UsageError('PLINTH_UPLOAD_PROVIDER', `The upload provider "${name}" is not enabled`)
  }

  /** Returns whether a write of records is made by this plugin, which stores their files. */
  isPluginWrite(context: Context): boolean {
    return this.#ownContexts.has(context)
  }

  /**
   * Stores files and makes their records in one transaction with `work`, which gets the records. If anything fails, nothing
   * is stored. `params` select what the records contain.
   */
  async store<T>(
    drafts: readonly FileDraft[],
    { context, signal, params = {} }: { context: Context; signal: AbortSignal; params?: Params },
    work: (records: Entry[], tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const isPlaced = drafts.some(({ info }) => this.#isPlaced(info, context))
    const namedDrafts = drafts.map(({ file, info }) => ({ file, info, names: namesOf(file, info) }))
    const filesToStore = namedDrafts.flatMap(one => plannedFiles(one.file, one.names))
    const query = this.#kernel.query(fileUid, this.#ownContext(context))
    return this.#storeAndCommit(filesToStore, signal, async tx => {
      if (isPlaced) await this.#tree.lock(tx)
      const records: Entry[] = []
      for (const { file, info, names } of namedDrafts) {
        const { hash, ext, name } = names
        const { alternativeText = null, caption = null } = info
        const url = this.#current.provider.urlOf(`${hash}${ext}`)
        const content = contentRecord(file, names, key => this.#current.provider.urlOf(key))
        const data = {
          name,
          alternativeText,
          caption,
          ...content,
          hash,
          ext,
          url,
          provider: this.#current.name,
          // That of a folder follows when the file is in it (folders/guard.ts).
          folderPath: rootPath,
          ...folderOf(info),
        }
        records.push(await query.create({ data, ...params }))
      }
      return work(records, tx)
    })
  }

  /**
   * Puts a file in the place of the content of a record, which keeps its hash, extension and URL (B-11.5). The new content is
   * stored under a key of its own first; when the change of the record is committed, it gets the key of the record, and only
   * then the promise resolves. Throws NotFoundError, ValidationError if the file is linked by an attribute that does not take
   * its type, and what the storage throws: the content then follows later.
   */
  async replace(
    id: number,
    { file, info }: FileDraft,
    { context, signal }: { context: Context; signal: AbortSignal },
  ): Promise<Entry> {
    const { name: provider } = this.#current
    const isPlaced = this.#isPlaced(info, context)
    const stored = await this.#kernel.query(fileUid).findOne(id)
    if (stored === null) throw missing()
    await checkLinked(this.#kernel, id, file.mime)
    const name = info.name ?? file.filename
    const staged = namesOf({ ...file, ext: String(stored.ext ?? '') }, info)
    const sources = plannedFiles(file, staged)
    const query = this.#kernel.query(fileUid, this.#ownContext(context))
    let noted: NotedChange | null = null
    const changed = await this.#storeAndCommit(sources, signal, async tx => {
      if (isPlaced) await this.#tree.lock(tx)
      const before = await this.#lock(tx, id)
      await checkLinked(this.#kernel, id, file.mime, tx)
      // The record keeps its names; the new content goes where the settings say.
      const names = { name, hash: String(before.hash), ext: String(before.ext ?? '') }
      const targets = plannedFiles(file, names).map(one => one.key)
      const [key] = targets as [string, ...string[]]
      const content = contentRecord(file, names, one => this.#current.provider.urlOf(one))
      const data = { ...info, ...content, name, provider, url: this.#current.provider.urlOf(key) }
      const changed = await query.update(id, { data })
      if (changed === null) throw missing()
      const isElsewhere = before.provider !== provider
      const remove = isElsewhere ? [] : keysOf(before).filter(one => !targets.includes(one))
      const move = sources.map(({ key, mime, size }, i) => ({ from: key, to: targets[i]!, mime, size }))
      noted = await this.journal.note(tx, key, { provider, remove, move, version: staged.hash })
      if (isElsewhere) await this.noteRemoval(tx, before)
      return changed
    })
    throwFailure(noted)
    return changed
  }

  /** Locks a record against other changes, and reads it. Throws NotFoundError. */
  async #lock(tx: Transaction, id: number): Promise<Entry> {
    const { table } = this.#kernel.contentTypes.require(fileUid)
    await tx.knex(table).where({ id }).forUpdate().select('id')
    const stored = await this.#kernel.query(fileUid).findOne(id)
    if (stored === null) throw missing()
    return stored
  }

  /** Changes what is said about a file; what is missing or null stays (B-11.4). Throws NotFoundError. */
  async describe(id: number, info: FileInfo, context: Context, params: Params = {}): Promise<Entry> {
    const set = Object.entries(info).filter(([, value]) => value !== null && value !== undefined)
    const data = { ...Object.fromEntries(set), ...folderOf(info) }
    const query = this.#kernel.query(fileUid, this.#ownContext(context))
    const change = () => query.update(id, { data, ...params })
    const changed = await (this.#isPlaced(info, context) ? this.#tree.change(change) : change())
    if (changed === null) throw missing()
    return changed
  }

  /** Returns whether a folder is named. Throws ForbiddenError if the caller may not know of folders. */
  #isPlaced({ folder }: FileInfo, { access }: Context): boolean {
    if (folder === undefined) return false
    this.#kernel.actions.authorize(this.#kernel.actions.of(folderUid, 'find'), access)
    return true
  }

  /** Notes that the files of a record go with it. For the transaction that deletes the record. */
  async noteRemoval(tx: Transaction, record: Readonly<Record<string, unknown>>): Promise<void> {
    const remove = keysOf(record)
    const work = { provider: String(record.provider), remove, move: [], version: randomUUID() }
    await this.journal.note(tx, remove[0]!, work)
  }

  /** The rights of the caller, which is checked before, and those to the records of its files. */
  #ownContext(context: Context): Context {
    const own = { ...withRights(context, [fileActions.create]) }
    this.#ownContexts.add(own)
    return own
  }

  async #storeAndCommit<T>(
    files: readonly PlannedFile[],
    signal: AbortSignal,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const keys = files.map(one => one.key)
    const line = await this.journal.begin({ provider: this.#current.name, remove: keys, move: [] })
    try {
      for (const file of files) await this.#storeContent(file, signal)
      signal.throwIfAborted()
      return await this.#kernel.transaction(async tx => {
        if (!(await this.journal.settle(tx, line))) throw new UnavailableError('The upload took too long')
        return work(tx)
      })
    } catch (error) {
      await this.journal
        .abandon(line)
        .catch(fault => this.#kernel.log.warn(`Files of a failed upload stay until a later start: ${fault}`))
      throw error
    }
  }

  async #storeContent({ key, path, mime, size }: PlannedFile, signal: AbortSignal): Promise<void> {
    const { provider } = this.#current
    signal.throwIfAborted()
    if (provider instanceof LocalProvider) return provider.adopt(path, key)
    const stream: Readable = createReadStream(path)
    try {
      await provider.store({ key, mime, stream, size }, signal)
    } finally {
      stream.destroy()
    }
  }

  async #do({ provider: name, remove, move }: FileWork, { signal, keepsContent }: Attempt): Promise<void> {
    const provider = this.#providers.get(name)
    if (provider === undefined) {
      this.#kernel.log.warn(`The files ${remove.join(', ')} stay: the provider "${name}" is not enabled`)
      return
    }
    for (const one of move) await copy(provider, one, signal)
    for (const key of [...remove, ...(keepsContent ? [] : move.map(one => one.from))]) {
      signal.throwIfAborted()
      await provider.remove(key)
    }
  }
}

/** Stores content under another key as well. If it is not there any more, that was done before. */
async function copy(provider: UploadProvider, { from, to, mime, size }: Move, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  let stream: Readable
  try {
    if (provider instanceof LocalProvider) return await provider.duplicate(from, to)
    stream = await provider.open(from)
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return
    throw error
  }
  await provider.store({ key: to, mime, stream, size: size ?? null, replaces: true }, signal)
}

/** Throws what went wrong when a change was done after COMMIT. */
function throwFailure(noted: NotedChange | null): void {
  if (noted !== null && noted.failure !== null) throw noted.failure
}

const missing = () => new NotFoundError('Entity not found')

/** The folder that is said of a file, as data; null is the root. */
const folderOf = ({ folder }: FileInfo) => (folder === undefined ? {} : { folder })
