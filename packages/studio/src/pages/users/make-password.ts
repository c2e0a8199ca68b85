// Makes passwords that nobody can guess.

/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 20

/** A password of 20 characters, by the random numbers of the browser that are fit for secrets. */
export function makePassword(): string {
  const password: string[] = []
  while (password.length < length) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1))
    // Bytes beyond a multiple of the number of letters would make some letters likelier.
    if (byte! < 256 - (256 % letters.length)) password.push(letters[byte! % letters.length]!)
  }
  return password.join('')
}
