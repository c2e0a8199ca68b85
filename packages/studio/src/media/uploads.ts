// The uploads that run, wherever in the panel they were begun: they go on while somebody looks at another page.

import { upload } from '../api/uploads.ts'
import { queries } from '../app/queries.ts'
import type { MediaFile } from '../model/media.ts'

/** One file on its way to the server. */
export interface RunningUpload {
  readonly key: number
  readonly file: File
  /** The id of the folder; null for the root, undefined where folders are none of the user's business. */
  readonly folder: number | null | undefined
  readonly state: 'waiting' | 'sending' | 'failed'
  /** The part that is sent, from 0 to 1. */
  readonly part: number
  readonly error: unknown
}

/** Receives a stored file, and the key of its upload: of files that were picked together, the first one has the lowest. */
export type ReceiveFile = (file: MediaFile, key: number) => void

/** The server decodes two pictures at a time. */
const atOnce = 2

let running: readonly RunningUpload[] = []
let lastKey = 0
const stops = new Map<number, AbortController>()
const listeners = new Set<() => void>()
const receivers = new Set<ReceiveFile>()

function show(next: readonly RunningUpload[]): void {
  running = next
  for (const listener of listeners) listener()
}

const change = (key: number, change: Partial<RunningUpload>): void =>
  show(running.map(one => (one.key === key ? { ...one, ...change } : one)))

/** For `useSyncExternalStore`. */
export const runningUploads = (): readonly RunningUpload[] => running

/** Calls the function when the uploads change. Returns what ends this. */
export function onUploadsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls the function with each file that is stored. Returns what ends this. */
export function onUploaded(receiver: ReceiveFile): () => void {
  receivers.add(receiver)
  return () => receivers.delete(receiver)
}

/** Begins to upload the files. */
export function startUploads(files: readonly File[], folder: number | null | undefined): void {
  const added = files.map(file => {
    lastKey++
    return { key: lastKey, file, folder, state: 'waiting', part: 0, error: null } as const
  })
  show([...running, ...added])
  sendNext()
}

/** Stops an upload, or forgets one that has failed. */
export function stopUpload(key: number): void {
  show(running.filter(one => one.key !== key))
  stops.get(key)?.abort()
  sendNext()
}

/** Begins a failed upload once more. */
export function repeatUpload(key: number): void {
  change(key, { state: 'waiting', part: 0, error: null })
  sendNext()
}

function sendNext(): void {
  const free = atOnce - running.filter(({ state }) => state === 'sending').length
  for (const one of running.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void send(one)
}

async function send({ key, file, folder }: RunningUpload): Promise<void> {
  const stop = new AbortController()
  stops.set(key, stop)
  change(key, { state: 'sending' })
  try {
    const texts = folder === undefined ? {} : { folder }
    const onProgress = (part: number) => change(key, { part })
    const stored = await upload({ file, texts, onProgress, signal: stop.signal })
    show(running.filter(one => one.key !== key))
    void queries.invalidateQueries({ queryKey: ['media'] })
    for (const receiver of receivers) receiver(stored, key)
  } catch (error) {
    if (!stop.signal.aborted) change(key, { state: 'failed', error })
  } finally {
    stops.delete(key)
    sendNext()
  }
}
