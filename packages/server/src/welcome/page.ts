// Writes the page for browsers that open the address of the server. It has no script, and one style, which the policy of
// the page names by its hash.

import { createHash } from 'node:crypto'
import type { ShownType, WelcomePage } from './shown.ts'

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:52rem;margin:0 auto;padding:1.5rem}
h1{margin:0}
h2{margin:2rem 0 .5rem}
p{margin:.25rem 0}
ul{padding:0;list-style:none}
li{margin:.25rem 0;overflow-wrap:anywhere}
code{font-size:.9em}
.method{display:inline-block;min-width:4.5rem;font-size:.8em}
.closed{opacity:.65}`

/** The headers of the page. */
export const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';img-src data:;style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const documents = 'https://github.com/plinth/plinth/tree/main/docs'

/** The text of the page. */
export function pageText({ application, types, pages, isStranger }: WelcomePage): string {
  const name = application.name ?? 'Plinth'
  const version = application.version === null ? '' : ` <small>${escaped(application.version)}</small>`
  const links = [...pages, { name: 'Documents of Plinth', url: documents }]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(name)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<h1>${escaped(name)}${version}</h1>
<p>This page is shown outside of production only. Programs are answered 404 here.</p>
<h2>Addresses</h2>
<ul>
${links.map(one => `<li><a href="${escaped(one.url)}">${escaped(one.name)}</a></li>`).join('\n')}
</ul>
<h2>Content</h2>
${types.length === 0 ? '<p>No plugin adds routes for content; <code>rest: true</code> in config/plugins does.</p>' : legend(isStranger)}
${types.map(typeText).join('\n')}
</body>
</html>
`
}

function legend(isStranger: boolean): string {
  const who = isStranger ? 'Everybody' : 'You'
  return `<p>${who} may do what has a ✓. The rest needs a right of a role or a token.</p>`
}

function typeText({ name, description, actions }: ShownType): string {
  const items = actions.map(({ method, url, isAllowed }) => {
    const address = escaped(url)
    // Addresses with a parameter lead nowhere.
    const isLink = isAllowed && method === 'GET' && !url.includes(':')
    const addressHtml = isLink ? `<a href="${address}"><code>${address}</code></a>` : `<code>${address}</code>`
    const mark = isAllowed ? '✓' : '<span hidden>not permitted</span>'
    return `<li${isAllowed ? '' : ' class="closed"'}><code class="method">${method}</code> ${addressHtml} ${mark}</li>`
  })
  return `<h3>${escaped(name)}</h3>
${description === null ? '' : `<p>${escaped(description)}</p>`}
<ul>
${items.join('\n')}
</ul>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, one => entities[one]!)
