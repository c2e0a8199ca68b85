// Makes the URLs of local files absolute in answers, by the address of the server or another one. What is stored stays as it
// is, so that a database can move to another address.

import { PluginConfigError, type TypeDraft } from '@plinth/kernel'

/**
 * Returns the address before the URLs of local files, without a slash at its end; null if they stay relative. Throws
 * PluginConfigError if the address of the server is asked for, and `config/server` has none.
 */
export function addressOf(setting: boolean | string, server: Readonly<Record<string, unknown>>): string | null {
  if (setting === false) return null
  const address = setting === true ? server.url : setting
  if (typeof address === 'string' && /^https?:\/\//.test(address) && URL.canParse(address))
    return address.replace(/\/+$/, '')
  const remedy =
    setting === true
      ? 'set url in config/server to the address under which clients reach it'
      : 'such as "https://cdn.example.org"'
  throw new PluginConfigError([`upload.config.absoluteUrls: needs an absolute address: ${remedy}`])
}

/** Lets the content type of files answer absolute URLs. */
export function presentUrls(draft: TypeDraft, address: string): void {
  const absolute = (url: unknown) => (typeof url === 'string' && /^\/(?!\/)/.test(url) ? address + url : url)
  for (const name of ['url', 'previewUrl']) draft.present(name, absolute)
  draft.present('formats', formats => presentFormats(formats, absolute))
}

/** The formats of a picture with other URLs. Other JSON, such as scripts may have stored, stays as it is. */
function presentFormats(formats: unknown, absolute: (url: unknown) => unknown): unknown {
  if (typeof formats !== 'object' || formats === null || Array.isArray(formats)) return formats
  const present = (format: unknown) =>
    typeof format === 'object' && format !== null && 'url' in format ? { ...format, url: absolute(format.url) } : format
  return Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, present(format)]))
}
