// Reads the names of an index: `title`, or `title:desc` for descending order, as in the parameter `sort`.

/** One name of an index. */
export interface IndexKey {
  readonly name: string
  readonly isDescending: boolean
}

/** The keys that the names of an index mean. */
export function indexKeysOf(names: readonly string[]): readonly IndexKey[] {
  return names.map(text => {
    const [name = '', direction] = text.split(':', 2)
    return { name, isDescending: direction?.toLowerCase() === 'desc' }
  })
}
