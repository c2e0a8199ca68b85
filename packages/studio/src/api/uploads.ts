// Sends files, and what is said about them. The only file with XMLHttpRequest, because `fetch` says nothing about the
// progress of an upload.

import type { FileTexts, MediaFile } from '../model/media.ts'
import { ApiError } from './errors.ts'
import { refuseToken } from './http.ts'
import { start } from './start.ts'
import { readToken } from './storage.ts'

/** A file to upload, and its texts. */
export interface Upload {
  /** Without a file, only the texts of a stored one are changed. */
  readonly file?: File
  readonly texts?: FileTexts
  /** The id of the file whose content or texts are replaced; without it, a new file is made. */
  readonly id?: number
  /** Called with the part that is sent, from 0 to 1. */
  readonly onProgress?: (part: number) => void
  /** Stops the upload, which then throws its reason. */
  readonly signal?: AbortSignal
}

/** Uploads one file, or changes a stored one. Throws ApiError. */
export async function upload({ file, texts = {}, id, onProgress, signal }: Upload): Promise<MediaFile> {
  const form = new FormData()
  form.append('fileInfo', JSON.stringify(texts))
  if (file !== undefined) form.append('files', file, file.name)
  const path = `${start.api}/upload${id === undefined ? '' : `?id=${id}`}`
  const stored = await send(path, form, { onProgress, signal })
  return (Array.isArray(stored) ? stored[0] : stored) as MediaFile
}

type Watching = { [Name in 'onProgress' | 'signal']: Upload[Name] | undefined }

function send(path: string, form: FormData, { onProgress, signal }: Watching): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const token = readToken()
    const stop = () => {
      request.abort()
      reject(signal?.reason)
    }
    request.open('POST', path)
    request.setRequestHeader('accept', 'application/json')
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const body = parsed(request.responseText)
      if (request.status >= 200 && request.status < 300 && body !== null) return resolve(body)
      if (request.status === 401 && token !== null) refuseToken(token)
      reject(ApiError.of(request.status, body, headersOf(request)))
    }
    request.onerror = () =>
      reject(new ApiError({ status: 0, name: 'NoAnswer', message: '', details: null, retryAfter: null }))
    request.onloadend = () => signal?.removeEventListener('abort', stop)
    signal?.addEventListener('abort', stop, { once: true })
    request.send(form)
  })
}

/** The only header that errors are read with. */
function headersOf(request: XMLHttpRequest): Headers {
  const seconds = request.getResponseHeader('retry-after')
  return new Headers(seconds === null ? {} : { 'retry-after': seconds })
}

/** Parses an answer. Those of proxies may not be JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
