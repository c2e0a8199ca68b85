// The headers with which the storage serves an object. It serves them itself, so what a browser may run must be said here.

/** Types that a browser shows without running anything in them. */
const harmlessType =
  /^(?:audio\/.+|video\/.+|font\/.+|image\/(?!svg).+|application\/pdf|application\/json|text\/plain|text\/csv)$/

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?charset=[\w-]+)?$/

/** The headers of a type. */
export interface ObjectHeaders {
  readonly ContentType: string
  readonly ContentDisposition?: 'attachment'
}

/** All other types, such as HTML, SVG and XML, are downloaded when their address is opened (security.md row 79). */
export function headersOf(mime: string): ObjectHeaders {
  const type = mime.toLowerCase()
  if (!mediaType.test(type)) return { ContentType: 'application/octet-stream', ContentDisposition: 'attachment' }
  return harmlessType.test(type.split(';')[0]!)
    ? { ContentType: type }
    : { ContentType: type, ContentDisposition: 'attachment' }
}
