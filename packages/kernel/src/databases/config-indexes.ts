// Reads `indexes` of `config/database`: lists of attributes by the uid of their type. Whether they are there is checked
// when the model is frozen.

import { StartError } from '../errors.ts'
import type { ConfiguredIndexes } from '../model/online-indexes.ts'
import { isRecord } from '../record.ts'

/** Returns the indexes that the setting names. Throws StartError for another form. */
export function configuredIndexesOf(setting: unknown): ConfiguredIndexes {
  if (setting === undefined || setting === null) return {}
  if (!isRecord(setting))
    throw refusal(
      'indexes',
      `must be an object of lists by uid, such as { "api::article.article": ["title"] }`,
      setting,
    )
  return Object.fromEntries(
    Object.entries(setting).map(([uid, list]) => {
      const place = `indexes["${uid}"]`
      if (!Array.isArray(list)) throw refusal(place, 'must be a list of attributes, and of lists of them', list)
      return [uid, list.map((one, i) => attributesOf(one, `${place}[${i}]`))]
    }),
  )
}

function attributesOf(value: unknown, place: string): readonly string[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (names.length === 0 || !names.every(name => typeof name === 'string' && name !== ''))
    throw refusal(place, 'must be the name of an attribute, or a list of names', value)
  return names as readonly string[]
}

function refusal(place: string, fault: string, value: unknown): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/database: ${place} ${fault}, found ${JSON.stringify(value)}`)
}
