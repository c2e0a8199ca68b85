// Decides which pages of a list are named: the first, the last, and those around the one that is shown.

/** The numbers of pages; null stands for those that are left out between two of them. */
export function pagesAround(current: number, count: number): readonly (number | null)[] {
  const numbers = new Set([1, current - 1, current, current + 1, count])
  // A gap of one page takes as much room as the page.
  if (numbers.has(3)) numbers.add(2)
  if (numbers.has(count - 2)) numbers.add(count - 1)
  const pages = [...numbers].filter(one => one >= 1 && one <= count).sort((left, right) => left - right)
  return pages.flatMap((one, index) => (index > 0 && one - pages[index - 1]! > 1 ? [null, one] : [one]))
}
