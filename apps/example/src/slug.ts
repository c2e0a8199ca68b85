// The words of a title as they stand in an address. Used by the app's own hook and by the seed.

const spelled: Record<string, string> = { ß: 'ss', œ: 'oe', æ: 'ae' }

/** `The oven at Saint Elm` becomes `the-oven-at-saint-elm`. */
export function slugify(title: string): string {
  return (
    title
      // The letters that no accent can be taken from.
      .replace(/[ßœæ]/gi, letter => spelled[letter.toLowerCase()]!)
      .normalize('NFKD')
      .replace(/[\u0300-\u036f’']/g, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
  )
}
