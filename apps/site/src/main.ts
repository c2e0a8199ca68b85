// Shows the view that the address names, and the header above it. The last address wins: requests of an earlier one are
// aborted.

import { isPreview, logOut, setPreview, userName } from './client.ts'
import { type Child, h } from './dom.ts'
import './style.css'
import { articleView } from './views/article.ts'
import { listView } from './views/list.ts'
import { loginView } from './views/login.ts'

const header = document.querySelector('header')!
const main = document.querySelector('main')!
let current = new AbortController()

function headerOf(parameters: URLSearchParams) {
  const search = h('input', {
    type: 'search',
    name: 'q',
    placeholder: 'Search',
    value: parameters.get('q') ?? '',
    ariaLabel: 'Search',
  })
  const onsubmit = (event: Event) => {
    event.preventDefault()
    location.hash = `#/?${new URLSearchParams({ q: search.value })}`
  }
  const name = userName()
  const preview = h('input', {
    type: 'checkbox',
    checked: isPreview(),
    onchange: () => {
      setPreview(preview.checked)
      show()
    },
  })
  const leave = () => {
    logOut()
    show()
  }
  return [
    h('a', { href: '#/', className: 'title' }, 'Tidewater'),
    h(
      'nav',
      {},
      ['en', 'fr', 'de'].map(locale => h('a', { href: `#/?locale=${locale}`, lang: locale }, locale)),
    ),
    h('form', { role: 'search', onsubmit }, search),
    name === null
      ? h('a', { href: '#/login' }, 'Log in')
      : [h('label', {}, preview, 'Drafts'), h('button', { onclick: leave }, `Log out ${name}`)],
  ]
}

async function viewOf(path: string, parameters: URLSearchParams, signal: AbortSignal): Promise<Child> {
  const [, slug] = /^\/articles\/([^/]+)$/.exec(path) ?? []
  if (slug !== undefined) return articleView(decodeURIComponent(slug), parameters, signal)
  return path === '/login' ? loginView() : listView(parameters, signal)
}

async function show(): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  const [path = '/', query = ''] = (location.hash.slice(1) || '/').split('?')
  const parameters = new URLSearchParams(query)
  header.replaceChildren(h('div', {}, headerOf(parameters)))
  main.ariaBusy = 'true'
  try {
    const view = await viewOf(path, parameters, signal)
    if (!signal.aborted) main.replaceChildren(h('div', {}, view))
  } catch (error) {
    if (!signal.aborted)
      main.replaceChildren(h('p', { role: 'alert' }, error instanceof Error ? error.message : String(error)))
  }
  if (!signal.aborted) main.ariaBusy = 'false'
}

addEventListener('hashchange', show)
await show()
