// Makes slugs of titles, for the application's hook and for the seed.

const spelled: Record<string, string> = { ß: 'ss', œ: 'oe', æ: 'ae' }

/** `The oven at Saint Elm` becomes `the-oven-at-saint-elm`. */
export function slugify(title: string): string {
  return (
    title
      // Letters that do not consist of a base letter and an accent.
      .replace(/[ßœæ]/gi, letter => spelled[letter.toLowerCase()]!)
      .normalize('NFKD')
      .replace(/[\u0300-\u036f’']/g, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
  )
}
