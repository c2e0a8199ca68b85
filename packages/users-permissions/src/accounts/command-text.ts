// Writes what the commands of users print. It knows no users.

/** A text without control characters, which would act in a terminal. */
export const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?')

/** The rows as lines, with their cells below each other. The first row is the heading. */
export function columnsText(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  return rows.map(row =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}
