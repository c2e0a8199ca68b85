// Writes the envelope (B-5.1) of errors that reach no transport: requests that cannot be parsed, and errors of sockets.

/** The body of an error. */
export function envelope(status: number, name: string, message: string): string {
  return JSON.stringify({ data: null, error: { status, name, message, details: {} } })
}

/** A complete HTTP response for a bare socket, which is closed after it. */
export function bareAnswer(status: number, phrase: string, message: string, headers = ''): string {
  const body = envelope(status, `${phrase.replace(/\W/g, '')}Error`, message)
  const head = `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: application/json; charset=utf-8\r\n${headers}connection: close`
  return `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
