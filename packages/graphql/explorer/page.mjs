// The explorer in the browser: GraphiQL, which sends operations to the address where the page is, with the token of whoever
// has logged in. bundle-explorer.mjs makes one file of it and of what it imports.

import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import 'graphiql/graphiql.css'
import './page.css'

const place = document.getElementById('explorer')
const form = document.getElementById('login')

/** The token of the login, as long as the page is open. */
let token = null

/** Sends one operation. A refusal of the transport is plain text, which is shown as an error. */
async function send(operation, { headers = {} } = {}) {
  const isSet = Object.keys(headers).some(name => name.toLowerCase() === 'authorization')
  const own = token === null || isSet ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...own, ...headers },
    body: JSON.stringify(operation),
  })
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return { errors: [{ message: text }] }
  }
}

/** Logs in by the mutation of the schema, or out. */
async function change() {
  const [button, output] = [form.querySelector('button'), form.querySelector('output')]
  const { identifier, password } = form.elements
  const show = (isIn, text) => {
    for (const field of [identifier, password]) field.hidden = isIn
    for (const field of [identifier, password]) field.required = !isIn
    button.textContent = isIn ? 'Log out' : 'Log in'
    output.textContent = text
  }
  if (token !== null) {
    token = null
    return show(false, '')
  }
  const input = { identifier: identifier.value, password: password.value }
  const { data, errors } = await send({ query: place.dataset.login, variables: { input } })
  const jwt = data?.login?.jwt ?? null
  if (jwt === null) return show(false, errors?.[0]?.message ?? 'There is no token in the answer')
  token = jwt
  password.value = ''
  show(true, `Logged in as ${input.identifier}`)
}

form.hidden = place.dataset.login === undefined
form.addEventListener('submit', event => {
  event.preventDefault()
  change()
})

const fetcher = (operation, options) => send(operation, options)
const { query } = place.dataset
createRoot(place).render(createElement(GraphiQL, { fetcher, defaultQuery: query, isHeadersEditorEnabled: true }))
