// The keys of config/server. A misspelled one would have no effect, and the server would listen elsewhere.

import { nearest, StartError, typoOf } from '@plinth/kernel'

/** The keys that this package and plugins read. */
const names = ['budget', 'cors', 'host', 'port', 'proxy', 'serverTiming', 'url', 'dirs']

/** Names used by other products, none of which is similar enough to the right one. */
const synonyms: Readonly<Record<string, string>> = { hostname: 'host', address: 'host', trustProxy: 'proxy' }

/** Keys of v4's file that have no effect here. */
const ofV4 = [
  'absoluteUrl',
  'admin',
  'app',
  'cron',
  'emitErrors',
  'globalProxy',
  'http',
  'logger',
  'socket',
  'transfer',
  'webhooks',
]

/**
 * Throws StartError for a key that is likely to be a typing error, and warns of one that is similar to a key that is
 * read. Other keys are settings of the application's own, or of v4.
 */
export function checkServerKeys(config: Readonly<Record<string, unknown>>, warn: (message: string) => void): void {
  for (const key of Object.keys(config)) {
    if (names.includes(key) || ofV4.includes(key)) continue
    const typo = typoOf(key, names)
    if (typo !== null)
      throw new StartError('PLINTH_CONFIG_INVALID', `config/server: ${key} is not known, did you mean "${typo}"?`)
    const meant = synonyms[key] ?? nearest(key, names)
    if (meant !== null) warn(`config/server: ${key} is not read by Plinth, did you mean "${meant}"?`)
  }
  checkUrl(config.url, warn)
}

/** As in v4, `url` may be a path. What is neither a path nor an address, such as one without `https://`, has no effect. */
function checkUrl(url: unknown, warn: (message: string) => void): void {
  if (url === undefined || url === null || url === '') return
  const fault = `config/server: url must be an address such as "https://api.example.com", not ${JSON.stringify(url)}`
  const isAddress = typeof url === 'string' && /^https?:\/\//.test(url)
  if (typeof url !== 'string' || (isAddress && !URL.canParse(url))) throw new StartError('PLINTH_CONFIG_INVALID', fault)
  if (!isAddress && !url.startsWith('/')) warn(`${fault}, so it has no effect`)
}
