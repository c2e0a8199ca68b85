// The documentation in the browser: Swagger UI with the document of the server. bundle-page.mjs makes one file of it and
// of what it imports. In production the document is for callers with a right: then the page asks for a token, which it
// keeps until it is closed.

import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './page.css'

const place = document.getElementById('documentation')
const form = document.getElementById('token')
const message = form.querySelector('[role=alert]')

/** Fetches the document, and shows it or asks for a token. */
async function open(token) {
  const address = new URL(place.dataset.document, location.href)
  const response = await fetch(address, { headers: token === null ? {} : { authorization: `Bearer ${token}` } })
  if (response.status === 401 || response.status === 403) {
    form.hidden = false
    message.textContent = token === null ? '' : `${response.status}: this token does not have the right`
    return
  }
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`)
  form.hidden = true
  show(await response.json(), token)
}

function show(spec, token) {
  document.title = spec.info.title
  const ui = SwaggerUI({
    domNode: place,
    spec,
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    // A foreign service would be asked whether the document is valid.
    validatorUrl: null,
    onComplete() {
      if (token !== null) ui.preauthorizeApiKey('bearerAuth', token)
    },
  })
}

function fail(error) {
  form.hidden = false
  message.textContent = String(error)
}

form.addEventListener('submit', event => {
  event.preventDefault()
  open(form.querySelector('input').value.trim()).catch(fail)
})
open(null).catch(fail)
