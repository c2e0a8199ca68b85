// Brings a field into view with the keys in it. What is folded around it unfolds first.

/** Tells what is folded that something in it is to be seen. */
export const revealEvent = 'studio-reveal'

/** The milliseconds within which an input that is still being loaded gets the keys. */
const patience = 3000

/** Goes to the field of a path; if it has none, to the nearest one around it. */
export function focusField(path: string): void {
  const prefixes = path.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))
  for (const prefix of prefixes) elementOf(prefix)?.dispatchEvent(new Event(revealEvent))
  const nearest = prefixes.toReversed().find(prefix => elementOf(prefix) !== null)
  if (nearest === undefined || focusWithin(elementOf(nearest)!)) return
  const observer = new MutationObserver(() => {
    const element = elementOf(nearest)
    if (element === null || focusWithin(element)) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), patience)
}

const elementOf = (path: string): HTMLElement | null => document.querySelector(`[data-field="${CSS.escape(path)}"]`)

/** Selectors of the element of a field that receives the focus: an input, which editors have after toolbars, or a button. */
const focusable = [
  'input:not(:disabled), textarea:not(:disabled), [contenteditable="true"]',
  'button:not(:disabled), [tabindex="0"]',
]

function focusWithin(element: HTMLElement): boolean {
  element.scrollIntoView({ block: 'center' })
  const input = focusable.map(one => element.querySelector<HTMLElement>(one)).find(one => one !== null)
  input?.focus({ preventScroll: true })
  return input !== undefined
}
