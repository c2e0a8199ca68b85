// The addresses of pictures: of a file and of its formats, in any form in which media is answered. Sends nothing.

interface FileValues {
  readonly url?: unknown
  readonly width?: unknown
  readonly formats?: unknown
}

/** A file as it is answered: flat, with `attributes`, or in `data`. */
export type Media = object | null | undefined

/** The file without what v4 wraps around it. */
function fileOf(media: Media): FileValues | null {
  const { data, attributes } = (media ?? {}) as { readonly data?: Media; readonly attributes?: FileValues }
  if (data !== undefined) return fileOf(data)
  return attributes ?? (media as FileValues | null | undefined) ?? null
}

/** The address of a file; those of the server's own disk begin with a path. An empty text if there is no file. */
export function srcOf(media: Media, address: string): string {
  const url = fileOf(media)?.url
  if (typeof url !== 'string') return ''
  return /^\/(?!\/)/.test(url) ? address + url : url
}

/** The picture and its formats for the attribute `srcset`, the narrowest first. An empty text if there are no widths. */
export function srcsetOf(media: Media, address: string): string {
  const file = fileOf(media)
  const formats = Object.values((file?.formats ?? {}) as Readonly<Record<string, FileValues>>)
  const byWidth = new Map<number, string>()
  for (const one of [...formats, file])
    if (typeof one?.width === 'number') byWidth.set(one.width, `${srcOf(one, address)} ${one.width}w`)
  return [...byWidth]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join(', ')
}
