// Names things for people where the schema has names for programs only.

/** "publishedOn" becomes "Published on", "meta_title" becomes "Meta title", "seo" stays "Seo". */
export function labelOf(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .trim()
    .split(/\s+/)
  const lower = words.map(word => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
  const text = lower.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The name of a list: the plural, where the displayed name is only the singular with a capital. */
export function listLabelOf(displayName: string, singularName: string, pluralName: string): string {
  const isSingular = labelOf(singularName).toLowerCase() === displayName.toLowerCase()
  return isSingular ? labelOf(pluralName) : displayName
}
