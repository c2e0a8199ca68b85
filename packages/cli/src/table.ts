// Rows as a table of text: columns as wide as their widest value, without lines and colours, so that scripts can cut it.

/** The lines of a table; only the head's line if there are no rows. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, i) => Math.max(...all.map(row => row[i]!.length)))
  return all
    .map(row =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
