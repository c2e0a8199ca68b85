// Checks config/api, except `rest`, which its plugin checks, and the names of private attributes, which the model checks.

import { StartError } from '../errors.ts'
import { typoOf } from '../model/typo.ts'
import { knownWords } from '../registration/registrar.ts'

/** By path; a file of v4 has `rest` and `responses` only. */
const keysByPath: Readonly<Record<string, readonly string[]>> = {
  '': ['rest', 'responses', 'compat'],
  responses: ['privateAttributes'],
  compat: ['ignoreUnknownOperators'],
}

/**
 * Throws StartError for keys that are misspellings of known ones, and for values of another type; warns of the other keys
 * that are not known.
 */
export function checkApiKeys(config: Readonly<Record<string, unknown>>, warn: (message: string) => void): void {
  for (const [path, names] of Object.entries(keysByPath)) {
    const section = path === '' ? config : (config[path] ?? {})
    if (typeof section !== 'object' || Array.isArray(section)) throw refusal(`${path} must be an object`)
    for (const key of Object.keys(section)) {
      if (names.includes(key)) continue
      const fault = `${[path, key].filter(Boolean).join('.')} is not known${knownWords(key, names)}`
      if (typoOf(key, names) !== null) throw refusal(fault)
      warn(`config/api: ${fault}`)
    }
  }
  const { ignoreUnknownOperators } = (config.compat ?? {}) as Readonly<Record<string, unknown>>
  if (ignoreUnknownOperators !== undefined && typeof ignoreUnknownOperators !== 'boolean')
    throw refusal(`compat.ignoreUnknownOperators must be true or false, not ${JSON.stringify(ignoreUnknownOperators)}`)
}

function refusal(fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/api: ${fault}`)
}
