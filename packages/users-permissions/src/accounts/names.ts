// The forms in which usernames and addresses are stored and compared, so that two that look alike are one (security.md
// row 65).

/** A username: characters that are written in several ways are written in one. */
export const normalizeName = (name: string): string => name.normalize('NFKC').trim()

/** An address: in lower case (B-6.42), and written in one way. */
export const normalizeEmail = (email: string): string => normalizeName(email).toLowerCase()

/** Returns whether a name has characters that nobody sees: it would look like another one. */
export const hasInvisible = (name: string): boolean =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name)

/**
 * A name as it is compared with others: two names with one folded form differ in case alone, or look as if they did.
 * Upper case comes between, because letters such as ß and ς have no other common form.
 */
export function foldName(name: string): string {
  const lower = normalizeName(normalizeName(name).toLowerCase().toUpperCase().toLowerCase())
  return lower.replaceAll(dottedI, 'i').replaceAll('ς', 'σ')
}

/** The lower case of İ outside of Turkish. */
const dottedI = 'i\u0307'
