// Makes names in an archive fit for messages. Data only.

const maxCharacters = 200

/** Returns a name for messages, whatever is in it: nothing of it moves the cursor of a terminal, and it is not long. */
export function shownName(name: string): string {
  return name !== '' && name.length <= maxCharacters && !/\p{C}/u.test(name)
    ? name
    : JSON.stringify(name.slice(0, maxCharacters)).replace(/\p{C}/gu, '?')
}
