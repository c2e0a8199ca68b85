// The forms of texts of the types `email` and `uid` (B-4.15, B-4.16).

/** A pattern for addresses that is matched in linear time. */
const emailForm =
  /^[^\s@<>()[\]\\,;:"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))+$/

/** Returns whether a text can be a value of the type `email`. */
export const isEmail = (text: string): boolean => text.length <= 320 && emailForm.test(text)

/** The pattern of values of the type `uid`, which messages show. */
export const uidForm = /^[A-Za-z0-9-_.~]*$/
