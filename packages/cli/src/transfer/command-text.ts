// The text of a command that continues an export or an import, to be pasted into a shell.

/** The words of a command with these options; those that are undefined are left out. */
export function commandText(command: string, options: Readonly<Record<string, string | undefined>>): string {
  const quoted = (text: string) => (/^[\w./:,@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  )
  return ['plinth', command, ...words].join(' ')
}
