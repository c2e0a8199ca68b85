// The plugin passwords: the attribute type `password` of v4's schemas, in whatever content type or component it stands.

import { definePlugin } from '@plinth/kernel'
import { checkRounds, passwordType } from './password-type.ts'

export { defaultCost, hashPassword, isBcryptHash, maxPasswordBytes, verifyPassword } from './bcrypt.ts'
export { checkRounds, costOf, type HashPassword, passwordType } from './password-type.ts'

export default definePlugin({
  name: 'passwords',
  register({ kernel }) {
    kernel.attributeTypes.add('password', passwordType())
    kernel.hooks.on('preModel', checkRounds)
  },
})
