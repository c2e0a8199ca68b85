// Writes nested parameters as the API reads them: `filters[title][$eq]=a&populate[0]=author`.

export type Parameter =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Parameter[]
  | { readonly [name: string]: Parameter }

/** The query string with its question mark; empty where there are no parameters. Null and undefined are left out. */
export function queryString(parameters: { readonly [name: string]: Parameter }): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(parameters)) append(pairs, name, value)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function append(pairs: string[], path: string, value: Parameter): void {
  if (value === null || value === undefined) return
  if (typeof value !== 'object') pairs.push(`${path}=${encodeURIComponent(String(value))}`)
  else
    for (const [name, inner] of Object.entries(value))
      append(pairs, `${path}[${encodeURIComponent(name).replace('%24', '$')}]`, inner)
}
