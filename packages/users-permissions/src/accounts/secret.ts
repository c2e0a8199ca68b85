// Checks the secret that signs tokens, which the kernel finds or makes (B-6.15, security.md rows 57 and A.5).

import { type Kernel, StartError } from '@plinth/kernel'

const setting = 'config/plugins: users-permissions.config.jwtSecret'

/** Shorter ones can be found by trying. v4 makes 24 characters. */
const minLength = 16

/** The secret of `jwtSecret` or JWT_SECRET. Throws StartError for one that cannot be used, or for none in production. */
export async function findSecret(kernel: Kernel, jwtSecret: string | undefined): Promise<string> {
  const secret = await kernel.secret({ configured: jwtSecret, setting, variable: 'JWT_SECRET' })
  const fault = faultOf(secret)
  if (fault === null) return secret
  const advice = 'use random text, such as the output of `node -p "crypto.randomBytes(32).toString(\'base64\')"`'
  throw new StartError('PLINTH_CONFIG_INVALID', `${setting}: ${fault}; ${advice}`)
}

/** Returns why a secret cannot be used; null if it can. */
function faultOf(secret: string): string | null {
  // A public key that is taken for a secret is known to everybody (CVE-2023-48223).
  if (/-----BEGIN [A-Z ]+-----/.test(secret))
    return 'is a key in PEM form, but tokens are signed by HS256 with a secret'
  const isShort = process.env.NODE_ENV === 'production' && secret.length < minLength
  return isShort ? `has ${secret.length} characters, but needs at least ${minLength}` : null
}
