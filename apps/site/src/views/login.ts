// The form by which members and editors log in.

import { ClientError } from '@plinth/client'
import { logIn } from '../client.ts'
import { h } from '../dom.ts'

export function loginView() {
  const identifier = h('input', { name: 'identifier', autocomplete: 'username', required: true })
  const password = h('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true })
  const message = h('p', { role: 'alert' })
  const onsubmit = async (event: Event) => {
    event.preventDefault()
    try {
      await logIn(identifier.value, password.value)
      location.hash = '#/'
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      message.textContent = error.status === 429 ? `Try again in ${error.retryAfter} seconds.` : error.message
    }
  }
  return h(
    'form',
    { className: 'login', onsubmit },
    h('label', {}, 'Name or address', identifier),
    h('label', {}, 'Password', password),
    h('button', {}, 'Log in'),
    message,
  )
}
