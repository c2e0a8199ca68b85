// Stores, replaces and removes files together with their records: one is never there without the other for longer than the
// journal knows (journal.ts). Knows no transport.

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
import type { TakenFile } from './intake.ts'
import { type FileWork, Journal } from './journal.ts'
import type { UploadProvider } from './provider.ts'
import { contentRecord, type FileInfo, keysOf, namesOf, type PlannedFile, plannedFiles } from './record.ts'
import { LocalProvider } from './storage/local.ts'
import { fileActions, fileUid } from './types.ts'

/** A file that was taken, and what the caller says about it. */
export interface FileDraft {
  readonly taken: TakenFile
  readonly info: FileInfo
}

/** A provider and the name that records have of it. */
export interface NamedProvider {
  readonly name: string
  readonly provider: UploadProvider
}

/** v4's path of the root folder: files that arrive by the API are in no folder. */
const folderPath = '/'

export class Files {
  readonly #kernel: Kernel
  readonly #current: NamedProvider
  /** The providers by their names: that of the settings, and the local one, which may have older files. */
  readonly #providers: ReadonlyMap<string, UploadProvider>
  readonly journal: Journal
  /** The contexts of this plugin's own writes of records. */
  readonly #own = new WeakSet<Context>()

  constructor(kernel: Kernel, current: NamedProvider, others: readonly NamedProvider[]) {
    this.#kernel = kernel
    this.#current = current
    this.#providers = new Map([...others, current].map(one => [one.name, one.provider]))
    this.journal = new Journal(kernel, work => this.#do(work))
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
    const found = this.providerOf(name)
    if (found !== undefined) return found
    throw new UsageError('PLINTH_UPLOAD_PROVIDER', `The upload provider "${name}" is not enabled`)
  }

  /** Whether a write of records is this plugin's own: that of others has no files. */
  isOwn(context: Context): boolean {
    return this.#own.has(context)
  }

  /**
   * Stores files and makes their records in one transaction with `work`, which gets the records. If anything fails, nothing
   * is stored. `params` select what the records contain.
   */
  async keep<T>(
    drafts: readonly FileDraft[],
    { context, signal, params = {} }: { context: Context; signal: AbortSignal; params?: Params },
    work: (records: Entry[], tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const planned = drafts.map(({ taken, info }) => ({ taken, info, names: namesOf(taken, info) }))
    const files = planned.flatMap(one => plannedFiles(one.taken, one.names))
    const query = this.#kernel.query(fileUid, this.#ownContext(context))
    return this.#stored(files, signal, async tx => {
      const records: Entry[] = []
      for (const { taken, info, names } of planned) {
        const { hash, ext, name } = names
        const { alternativeText = null, caption = null } = info
        const url = this.#current.provider.urlOf(`${hash}${ext}`)
        const content = contentRecord(taken, names, key => this.#current.provider.urlOf(key))
        const data = {
          name,
          alternativeText,
          caption,
          ...content,
          hash,
          ext,
          url,
          provider: this.#current.name,
          folderPath,
        }
        records.push(await query.create({ data, ...params }))
      }
      return work(records, tx)
    })
  }

  /**
   * Puts a file in the place of the content of a record, which keeps its hash, extension and URL (B-11.5). The old content
   * is there until the change is committed. Throws NotFoundError.
   */
  async replace(
    id: number,
    { taken, info }: FileDraft,
    about: { context: Context; signal: AbortSignal },
  ): Promise<Entry> {
    const before = await this.#kernel.query(fileUid).findOne(id)
    if (before === null) throw missing()
    // The record keeps its provider; the new content goes where the settings say, under names of its own at first.
    const names = { name: info.name ?? taken.filename, hash: String(before.hash), ext: String(before.ext ?? '') }
    const staged = namesOf({ ...taken, ext: names.ext }, info)
    const sources = plannedFiles(taken, staged)
    const targets = plannedFiles(taken, names).map(one => one.key)
    const move = sources.map(({ key, mime }, i) => ({ from: key, to: targets[i]!, mime }))
    const isElsewhere = before.provider !== this.#current.name
    const remove = isElsewhere ? [] : keysOf(before).filter(key => !targets.includes(key))
    const content = contentRecord(taken, names, key => this.#current.provider.urlOf(key))
    const query = this.#kernel.query(fileUid, this.#ownContext(about.context))
    return this.#stored(sources, about.signal, async tx => {
      const data = { ...info, ...content, name: names.name, provider: this.#current.name }
      const url = this.#current.provider.urlOf(targets[0]!)
      const changed = await query.update(id, { data: { ...data, url } })
      if (changed === null) throw missing()
      await this.journal.note(tx, { provider: this.#current.name, move, remove })
      if (isElsewhere) await this.noteRemoval(tx, before)
      return changed
    })
  }

  /** Changes what is said about a file; what is missing or null stays (B-11.4). Throws NotFoundError. */
  async describe(id: number, info: FileInfo, context: Context, params: Params = {}): Promise<Entry> {
    const known = Object.entries(info).filter(([, value]) => value !== null && value !== undefined)
    const query = this.#kernel.query(fileUid, this.#ownContext(context))
    const changed = await query.update(id, { data: Object.fromEntries(known), ...params })
    if (changed === null) throw missing()
    return changed
  }

  /** Notes that the files of a record go with it. For the transaction that deletes the record. */
  async noteRemoval(tx: Transaction, record: Readonly<Record<string, unknown>>): Promise<void> {
    await this.journal.note(tx, { provider: String(record.provider), remove: keysOf(record), move: [] })
  }

  /** The rights of the caller, which is judged before, and those to the records of its files. */
  #ownContext(context: Context): Context {
    const own = { ...withRights(context, [fileActions.create]) }
    this.#own.add(own)
    return own
  }

  async #stored<T>(
    files: readonly PlannedFile[],
    signal: AbortSignal,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const keys = files.map(one => one.key)
    const line = await this.journal.begin({ provider: this.#current.name, remove: keys, move: [] })
    try {
      for (const file of files) await this.#store(file, signal)
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

  async #store({ key, path, mime, size }: PlannedFile, signal: AbortSignal): Promise<void> {
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

  async #do({ provider: name, remove, move }: FileWork): Promise<void> {
    const provider = this.#providers.get(name)
    if (provider === undefined) {
      this.#kernel.log.warn(`The files ${remove.join(', ')} stay: the provider "${name}" is not enabled`)
      return
    }
    for (const one of move) await this.#move(provider, one)
    for (const key of remove) await provider.remove(key)
  }

  async #move(provider: UploadProvider, { from, to, mime }: FileWork['move'][number]): Promise<void> {
    let stream: Readable
    try {
      stream = await provider.open(from)
    } catch (error) {
      // It was moved before.
      if ((error as { readonly code?: unknown }).code === 'ENOENT') return
      throw error
    }
    await provider.store({ key: to, mime, stream, size: null }, new AbortController().signal)
    await provider.remove(from)
  }
}

const missing = () => new NotFoundError('Entity not found')
