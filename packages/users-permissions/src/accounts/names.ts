// The forms in which usernames and addresses are stored and compared, so that two that look alike are one (security.md
// row 65).

/** A username: characters that are written in several ways are written in one. */
export const normalizeName = (name: string): string => name.normalize('NFKC').trim()

/** An address: in lower case (B-6.42), and written in one way. */
export const normalizeEmail = (email: string): string => normalizeName(email).toLowerCase()

/** Whether a name has characters that nobody sees: it would look like another one. */
export const hasInvisible = (name: string): boolean =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name)
