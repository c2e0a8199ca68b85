// Makes texts that clients choose a part of harmless for a terminal.

/** Control characters, which a terminal would obey. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** A text that can neither control a terminal nor begin a line of its own, as if it were another record. */
export function printable(text: string): string {
  return text
    .replace(control, one => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/\n(?! )/g, '\n    ')
}
