// v4's `env` on given variables, which need not be those of the process (B-10.46).

/** v4's `env` on these variables. */
export function envOf(variables: Readonly<Record<string, string | undefined>>) {
  const read = (parse: (text: string) => unknown) => (name: string, fallback?: unknown) => {
    const text = variables[name]
    return text === undefined ? fallback : parse(text)
  }
  const list = (text: string) =>
    text
      .replace(/^\s*\[|\]\s*$/g, '')
      .split(',')
      .map(one => one.trim().replace(/^"|"$/g, ''))
  return Object.assign(
    read(text => text),
    {
      int: read(text => Number.parseInt(text, 10)),
      float: read(Number.parseFloat),
      bool: read(text => text === 'true'),
      json: read(text => parsed(text)),
      array: read(list),
      date: read(text => new Date(text)),
      oneOf: (name: string, values: readonly string[], fallback?: unknown) =>
        values.includes(variables[name] ?? '') ? variables[name] : fallback,
    },
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
