// The parts of an archive that `--only` and `--exclude` choose, in v4's words.

import type { Part } from '@plinth/transfer'
import { Failure } from '../failure.ts'
import { nearestOf } from '../nearest.ts'

const all: readonly Part[] = ['content', 'files']
/** The words that v4 has: `config` are settings that v4's administrators change, and Plinth has its settings in files. */
const validWords: readonly string[] = [...all, 'config']

/** The options, for the commands. */
export const partOptions = {
  only: { type: 'string', description: 'only these parts: content, files (comma-separated)', valueHint: 'parts' },
  exclude: { type: 'string', description: 'all but these parts', valueHint: 'parts' },
} as const

/** Returns the chosen parts. Throws Failure for unknown words, for a word in both lists, and if nothing is left. */
export function partsOf(only: string | undefined, exclude: string | undefined): ReadonlySet<Part> {
  const includedWords = only === undefined ? validWords : wordsOf('--only', only)
  const excludedWords = exclude === undefined ? [] : wordsOf('--exclude', exclude)
  const both = only === undefined ? undefined : includedWords.find(word => excludedWords.includes(word))
  if (both !== undefined) throw new Failure(`${both} is in both --only and --exclude`)
  const parts = all.filter(part => includedWords.includes(part) && !excludedWords.includes(part))
  if (parts.length > 0) return new Set(parts)
  throw new Failure('No part is left: an archive has content and files. Settings (config) are files of the application')
}

function wordsOf(option: string, list: string): string[] {
  const words = list.split(',').map(word => word.trim())
  for (const word of words)
    if (!validWords.includes(word)) throw new Failure(`${option}: ${nearestOf('part', word, validWords)}`)
  return words
}
