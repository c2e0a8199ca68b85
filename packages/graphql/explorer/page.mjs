// The explorer in the browser: GraphiQL, which sends operations to the address where the page is. bundle-explorer.mjs
// makes one file of it and of what it imports.

import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import 'graphiql/graphiql.css'
import './page.css'

/** Sends one operation. A refusal of the transport is plain text, which is shown as an error. */
async function send(operation, { headers = {} } = {}) {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(operation),
  })
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return { errors: [{ message: text }] }
  }
}

const welcome = `# Operations are sent to this address. A token is a header, at the bottom of this page:
# { "Authorization": "Bearer …" }

`

createRoot(document.getElementById('explorer')).render(
  createElement(GraphiQL, { fetcher: send, defaultQuery: welcome, isHeadersEditorEnabled: true }),
)
